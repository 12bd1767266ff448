//! The streams of WASI 0.3. The host's end is always ready, so the plugin's end never waits.

use std::{
    iter,
    pin::Pin,
    task::{Context, Poll},
};

use wasmtime::{
    Error, Result, StoreContextMut, bail,
    component::{
        ComponentType, FutureAny, FutureReader, Lift, Lower, Source, StreamAny, StreamConsumer, StreamReader,
        StreamResult, Val,
    },
};

use super::{super::limits, CallState, Stream};

/// `error-code` of `wasi:cli/types`.
#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "the empty WASI never fails, but the type of its futures names these")]
enum ErrorCode {
    #[component(name = "io")]
    Io,
    #[component(name = "illegal-byte-sequence")]
    IllegalByteSequence,
    #[component(name = "pipe")]
    Pipe,
}

/// Turns what is written to a stream into log lines.
struct Printer(Stream);

impl StreamConsumer<CallState> for Printer {
    type Item = u8;

    fn poll_consume(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut store: StoreContextMut<'_, CallState>,
        mut source: Source<'_, u8>,
        _: bool,
    ) -> Poll<Result<StreamResult>> {
        let length = source.remaining(&mut store).min(limits::READ_BYTES);
        // Without bytes, the plugin asks whether it may write.
        if length > 0 {
            let mut printed = Vec::with_capacity(length);
            source.read(&mut store, &mut printed)?;
            store.data_mut().print(self.0, &printed)?;
        }
        Poll::Ready(Ok(StreamResult::Completed))
    }
}

/// `write-via-stream`: prints what the stream brings, and returns a future that has succeeded.
pub(super) fn print(store: &mut StoreContextMut<'_, CallState>, to: Stream, given: &[Val]) -> Result<Option<Val>> {
    let [Val::Stream(written)] = given else { bail!("something other than a stream was written") };
    let reader = written.clone().try_into_stream_reader::<u8>()?;
    reader.pipe(&mut *store, Printer(to))?;
    success(store).map(Some)
}

/// `read-via-stream`: a stream that has ended, and a future that has succeeded.
pub(super) fn read(store: &mut StoreContextMut<'_, CallState>) -> Result<Val> {
    let ended = StreamReader::new(&mut *store, iter::empty::<u8>())?;
    let ended = StreamAny::try_from_stream_reader(&mut *store, ended)?;
    Ok(Val::Tuple(vec![Val::Stream(ended), success(store)?]))
}

fn success(store: &mut StoreContextMut<'_, CallState>) -> Result<Val> {
    let succeeded = async { Ok::<Result<(), ErrorCode>, Error>(Ok(())) };
    let future = FutureReader::new(&mut *store, succeeded)?;
    Ok(Val::Future(FutureAny::try_from_future_reader(&mut *store, future)?))
}
