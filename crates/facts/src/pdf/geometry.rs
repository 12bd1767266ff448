//! The library's rectangles as areas of a page.

use hayro::{
    hayro_interpret::{RectExt, TransformExt},
    hayro_syntax::{object::Rect as PdfRect, page::Page},
    vello_cpu::kurbo::Rect,
};

use crate::model::Area;

pub(super) fn area(rect: Rect) -> Area {
    Area::from_points(rect.x0, rect.y0, rect.x1, rect.y1)
}

/// The page's box in its own coordinates, for what is not drawn by the content.
pub(super) fn to_page(page: &Page, rect: PdfRect) -> Area {
    area(page.initial_transform(true).to_kurbo().transform_rect_bbox(rect.to_kurbo()))
}
