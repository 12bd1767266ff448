//! A badly behaved client: it sends anything at any time, over its own socket, from any local address.

use std::net::{IpAddr, SocketAddr};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use super::AMPLE;

/// All of 127.0.0.0/8 is this machine, so that one test can be many clients.
pub(crate) async fn connect_from(host: u8, server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    let from = SocketAddr::new(IpAddr::from([127, 0, 0, host]), 0);
    socket.bind(from).expect("an address of this machine");
    socket.connect(server).await.expect("the server accepts")
}

/// A client that can receive only little of an answer.
pub(crate) async fn connect_with_small_buffer(server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    socket.connect(server).await.expect("the server accepts")
}

/// Sends `request` and reads until the server closes or resets the connection.
pub(crate) async fn exchange(stream: &mut TcpStream, request: &[u8]) -> String {
    // A server that has already closed may still have sent the reason.
    let _ = stream.write_all(request).await;
    read_to_end(stream).await
}

/// Reads until the server closes or resets the connection.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = timeout(AMPLE, stream.read_to_end(&mut answer)).await.expect("the server closes the connection");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Whether the server keeps the connection open. It sends nothing without a request.
pub(crate) fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [0; 1];
    matches!(stream.try_read(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}
