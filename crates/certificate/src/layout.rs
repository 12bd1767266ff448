//! Lays out the pages of a certificate: in one pass if they are numbered like those of an earlier certificate.
//!
//! The numbers on a page are known only when all pages are laid out. So Typst lays out a document again, with the answers
//! of the pass before, until a pass got the answers that are true of its own result. Its first pass has no answers, so a
//! certificate takes two. Here the first pass has the answers of an earlier certificate with the same kinds of items.
//! Typst's own check decides whether they are true of the result. If they are not, the next pass is the second of two, as
//! before.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
    mem,
    sync::Arc,
};

use bytes::Bytes;
use comemo::{Constraint, Track, Tracked};
use parking_lot::Mutex;
use typst::{
    World,
    diag::{SourceResult, Warned},
    engine::{Engine, Route, Sink, Traced},
    foundations::{Content, Output, StyleChain, Target, TargetElem},
    introspection::Introspector,
    utils::Protected,
};
use typst_layout::{PagedDocument, PagedIntrospector};

use super::{
    attachment::Attachment,
    data::CertificateData,
    picture::{Picture, PictureFormat},
};

/// How many kinds of certificates are remembered.
const MOST_REMEMBERED: usize = 16;
/// The answers hold a certificate's attachments and its PNG pictures. If these are larger, they are not remembered.
const MOST_REMEMBERED_BYTES: usize = 1 << 20;
/// They also hold every heading, link and paragraph.
const MOST_REMEMBERED_PAGES: usize = 40;
/// Including the one that starts from the earlier answers. Typst alone takes up to five, and warns after them.
const MOST_PASSES: usize = 2;

/// What earlier certificates of one template answered about their pages, the latest first.
#[derive(Default)]
pub(super) struct Layouts(Mutex<VecDeque<Earlier>>);

struct Earlier {
    shape: Shape,
    answers: Arc<PagedIntrospector>,
}

/// What decides, for most certificates, how many pages there are and which item is on which page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u64);

impl Shape {
    pub(super) fn of(data: &CertificateData) -> Self {
        let mut hasher = DefaultHasher::new();
        for step in &data.steps {
            step.items.len().hash(&mut hasher);
            step.items.iter().for_each(|item| mem::discriminant(&item.content).hash(&mut hasher));
        }
        Self(hasher.finish())
    }
}

/// Whether the answers about a certificate with these files hold little memory.
pub(super) fn is_light(photos: &[Bytes], pictures: &[Option<Picture>], attachments: &[Attachment]) -> bool {
    let is_png = |picture: Picture| picture.format == PictureFormat::Png;
    let png = photos.iter().zip(pictures).filter(|(_, picture)| picture.is_some_and(is_png));
    let shown: usize = png.map(|(photo, _)| photo.len()).sum();
    let attached: usize = attachments.iter().map(|attachment| attachment.bytes.len()).sum();
    shown + attached <= MOST_REMEMBERED_BYTES
}

impl Layouts {
    /// Like [`typst::compile`]; `shape` is the certificate's, and `is_remembered` says whether the next one may start
    /// from its answers.
    pub(super) fn compile(
        &self,
        world: &dyn World,
        shape: Shape,
        is_remembered: bool,
    ) -> Warned<SourceResult<PagedDocument>> {
        let guessed = self.of_shape(shape).and_then(|answers| compile_from(world, &answers, MOST_PASSES));
        let compiled = guessed.unwrap_or_else(|| typst::compile::<PagedDocument>(world));
        if let (Ok(document), true) = (&compiled.output, is_remembered)
            && document.pages().len() <= MOST_REMEMBERED_PAGES
        {
            self.remember(shape, Arc::clone(document.introspector()));
        }
        compiled
    }

    fn of_shape(&self, shape: Shape) -> Option<Arc<PagedIntrospector>> {
        let all = self.0.lock();
        all.iter().find(|earlier| earlier.shape == shape).map(|earlier| Arc::clone(&earlier.answers))
    }

    fn remember(&self, shape: Shape, answers: Arc<PagedIntrospector>) {
        let mut all = self.0.lock();
        all.retain(|earlier| earlier.shape != shape);
        all.push_front(Earlier { shape, answers });
        all.truncate(MOST_REMEMBERED);
    }
}

/// The document, if the answers are true of it after at most `passes` that start from `answers`. `None` also for every
/// error: [`typst::compile`] finds it again and reports it.
pub(super) fn compile_from(
    world: &dyn World,
    answers: &PagedIntrospector,
    passes: usize,
) -> Option<Warned<SourceResult<PagedDocument>>> {
    let mut sink = Sink::new();
    let document = settled(world.track(), &mut sink, answers, passes)?;
    // Errors that a later pass could have mended.
    if !sink.delayed().is_empty() {
        return None;
    }
    Some(Warned { output: Ok(document), warnings: sink.warnings() })
}

/// As [`typst::compile`] does it, except for the answers of the first pass.
#[expect(clippy::needless_pass_by_value, reason = "as all functions of Typst take tracked references")]
fn settled(
    world: Tracked<'_, dyn World + '_>,
    sink: &mut Sink,
    answers: &PagedIntrospector,
    passes: usize,
) -> Option<PagedDocument> {
    let library = world.library();
    let base = StyleChain::new(&library.styles);
    let target = TargetElem::target.set(Target::Paged).wrap();
    let styles = base.chain(&target);
    let traced = Traced::default();
    let main = world.source(world.main()).ok()?;
    let evaluated = typst_eval::eval(world, library, traced.track(), sink.track_mut(), Route::default().track(), &main);
    let content = evaluated.ok()?.content();
    let mut last = lay_out(world, traced.track(), &content, styles, answers)?;
    for _ in 1..passes {
        if last.is_settled {
            break;
        }
        last = lay_out(world, traced.track(), &content, styles, last.document.introspector())?;
    }
    if !last.is_settled {
        return None;
    }
    sink.extend_from_sink(last.sink);
    Some(last.document)
}

/// The result of one pass.
struct Pass {
    document: PagedDocument,
    sink: Sink,
    /// Whether the answers that it got are true of its document.
    is_settled: bool,
}

#[expect(clippy::needless_pass_by_value, reason = "as all functions of Typst take tracked references")]
fn lay_out(
    world: Tracked<'_, dyn World + '_>,
    traced: Tracked<'_, Traced>,
    content: &Content,
    styles: StyleChain<'_>,
    answers: &PagedIntrospector,
) -> Option<Pass> {
    let answers: &dyn Introspector = answers;
    let constraint = Constraint::new();
    let mut sink = Sink::new();
    let mut engine = Engine {
        library: world.library(),
        world,
        introspector: Protected::new(answers.track_with(&constraint)),
        traced,
        sink: sink.track_mut(),
        route: Route::default(),
    };
    let document = PagedDocument::create(&mut engine, content, styles).ok()?;
    let own_answers: &dyn Introspector = &**document.introspector();
    let is_settled = constraint.validate(own_answers);
    Some(Pass { document, sink, is_settled })
}
