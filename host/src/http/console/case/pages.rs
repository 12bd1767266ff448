//! A document page by page: each page drawn, with a numbered box around what was found.

use maud::{Markup, html};

use crate::{
    app::console::document::{DocumentPage, Drawing},
    domain::analysis::judgement::{Area, Finding},
    http::{
        console::{
            visit::Visit,
            words::{self, Names},
        },
        link::Language,
    },
};

/// The page of a document.
pub(super) fn page(visit: &Visit, shown: &DocumentPage) -> Markup {
    let language = visit.language;
    let DocumentPage { case, item, items, number, findings, drawing, .. } = shown;
    let names = Names::of(case.id, items.iter(), language);
    let (here, elsewhere): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| finding.place.is_some_and(|place| place.page == *number));
    let boxed: Vec<(&Finding, Option<Area>)> =
        here.iter().map(|finding| (*finding, finding.place.and_then(|place| place.area))).collect();
    html! {
        p.small {
            a href="/console/cases" { (language.pick("Cases", "Dossiers")) } " › "
            a href={ "/console/cases/" (case.id) "#item-" (item.id) } { (case.reference()) ", " (case.title) }
        }
        h1 { (names.item(item.id)) }
        (onwards(shown, language))
        @match drawing {
            Some(drawing) => (picture(drawing, &boxed, &alternative(shown, language), &names)),
            None => p.empty { (language.pick("This page cannot be drawn.", "Cette page ne peut pas être dessinée.")) },
        }
        h2 { (language.pick("Found on this page", "Trouvé sur cette page")) }
        @if boxed.is_empty() {
            p { (language.pick("Nothing.", "Rien.")) }
        } @else {
            ol.found {
                @for (finding, area) in &boxed {
                    li {
                        (words::said(&finding.text, &names))
                        @if area.is_none() { span.small { (language.pick(" · whole page", " · page entière")) } }
                    }
                }
            }
        }
        @if !elsewhere.is_empty() {
            h2 { (language.pick("Found elsewhere", "Trouvé ailleurs")) }
            ul.found {
                @for (text, pages) in grouped(&elsewhere) {
                    li {
                        (words::said(text, &names))
                        @for page in pages {
                            " · " a href=(page) { (language.pick("page ", "page ")) (page) }
                        }
                    }
                }
            }
        }
    }
}

fn alternative(shown: &DocumentPage, language: Language) -> String {
    let (page, of) = (language.pick("page", "page"), language.pick("of", "sur"));
    format!("{}, {page} {} {of} {}", shown.item.content.data, shown.number, shown.pages)
}

/// The other pages and the file.
fn onwards(shown: &DocumentPage, language: Language) -> Markup {
    let DocumentPage { case, item, number, pages, .. } = shown;
    html! {
        nav.pages aria-label=(language.pick("Pages", "Pages")) {
            @if *number > 1 { a rel="prev" href=(number - 1) { (language.pick("Previous page", "Page précédente")) } }
            span.at { (language.pick("Page ", "Page ")) (number) (language.pick(" of ", " sur ")) (pages) }
            @if number < pages { a rel="next" href=(number + 1) { (language.pick("Next page", "Page suivante")) } }
            a href={ "/console/cases/" (case.id) "/items/" (item.id) "/file" } target="_blank" rel="noopener" {
                (language.pick("Open the file", "Ouvrir le fichier"))
            }
        }
    }
}

/// The page with its boxes. One unit of the drawing is a hundredth of a point.
fn picture(drawing: &Drawing, boxed: &[(&Finding, Option<Area>)], alternative: &str, names: &Names<'_>) -> Markup {
    let Drawing { width, height, png } = drawing;
    let size = width.max(height) / 75;
    let above = i32::try_from(size / 4).unwrap_or(0);
    html! {
        svg.sheet viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(alternative) {
            image href={ "data:image/png;base64," (png) } width=(width) height=(height) {}
            @for (number, (finding, area)) in (1..).zip(boxed) {
                @if let Some(Area { left, top, width, height }) = area {
                    g {
                        title { (number) ". " (words::text(&finding.text, names)) }
                        rect x=(left) y=(top) width=(width) height=(height) {}
                        text x=(left) y=(top.saturating_sub(above)) font-size=(size) { (number) }
                    }
                }
            }
        }
    }
}

/// Each text once, with the pages that it was found on.
pub(super) fn grouped<'a>(findings: &[&'a Finding]) -> Vec<(&'a str, Vec<u32>)> {
    let mut groups: Vec<(&str, Vec<u32>)> = Vec::new();
    for finding in findings {
        let position = groups.iter().position(|(text, _)| *text == finding.text);
        let group = position.unwrap_or_else(|| {
            groups.push((&finding.text, Vec::new()));
            groups.len() - 1
        });
        let pages = &mut groups[group].1;
        pages.extend(finding.place.map(|place| place.page).filter(|page| !pages.contains(page)));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        analysis::judgement::{FindingState, Place},
        id::CaseId,
    };

    fn finding(text: &str, page: Option<u32>) -> Finding {
        Finding {
            code: "X".to_owned(),
            state: FindingState::Found,
            item: None,
            place: page.map(|page| Place { page, area: None }),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_box_far_outside_the_page_is_drawn_without_a_panic() {
        let far = Area { left: i32::MIN, top: i32::MIN, width: u32::MAX, height: u32::MAX };
        let drawing = Drawing { width: 59_500, height: 84_200, png: String::new() };
        let names = Names::new(CaseId::parse("1").unwrap(), Vec::new(), Language::English);
        let svg = picture(&drawing, &[(&finding("a <b>", Some(1)), Some(far))], "card.pdf", &names).into_string();
        assert!(svg.contains("y=\"-2147483648\"") && svg.contains("1. a &lt;b&gt;"), "{svg}");
    }

    #[test]
    fn the_same_text_is_listed_once_with_its_pages() {
        let all = [finding("a", Some(2)), finding("b", None), finding("a", Some(1)), finding("a", Some(2))];
        let all: Vec<&Finding> = all.iter().collect();
        assert_eq!(grouped(&all), [("a", vec![2, 1]), ("b", vec![])]);
    }
}
