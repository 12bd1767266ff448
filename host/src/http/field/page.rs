//! The page `/field` without scripts. The script of `web/capture` takes the place of its content.

use maud::html;

use crate::http::{html::Page, link::Language};

pub(super) fn page(language: Language) -> Page {
    let (title, head, text) = match language {
        Language::English => (
            "Field",
            "This page needs JavaScript",
            "Your browser does not run the script that takes photos and sends them. Allow JavaScript for this page, or \
             open it in another browser.",
        ),
        Language::French => (
            "Terrain",
            "Cette page a besoin de JavaScript",
            "Votre navigateur n’exécute pas le script qui prend les photos et les envoie. Autorisez JavaScript pour \
             cette page, ou ouvrez-la dans un autre navigateur.",
        ),
    };
    let main = html! {
        noscript {
            h1 { (head) }
            p { (text) }
        }
    };
    Page { title: title.to_owned(), main }
}
