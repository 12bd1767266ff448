//! The page of a link as the server makes it. While the link can be used, the script of `web/capture` takes the place of
//! its content; without scripts the person sees what is asked, and what is missing to answer.

use maud::{Markup, html};

use super::words::{Language, Words, fill, fill_isolated};
use crate::{
    app::link::{AskedStep, Form, LinkState, LinkView},
    http::html::Page,
};

/// What a usable link is for, or that the link can no longer be used.
pub(super) fn of_link(view: &LinkView, language: Language) -> Page {
    let words = language.words();
    let company = &view.company_name;
    match view.state {
        LinkState::Usable => usable(view, language),
        LinkState::Expired => {
            let until = view.expires_at.map(|moment| fill(words.expired_text, &language.moment(moment)));
            ended(words, company, words.expired, &html! { (until.unwrap_or_default()) })
        }
        LinkState::UsedUp => ended(words, company, words.used_up, &html! { (words.used_up_text) }),
        LinkState::Withdrawn => ended(words, company, words.withdrawn, &fill_isolated(words.withdrawn_text, company)),
    }
}

/// For an unknown token.
pub(super) fn of_no_link(language: Language) -> Page {
    let words = language.words();
    let main = html! {
        h1 { (words.unknown) }
        p { (words.unknown_text) }
    };
    Page { title: words.unknown.to_owned(), main }
}

fn usable(view: &LinkView, language: Language) -> Page {
    let words = language.words();
    let company = &view.company_name;
    let (heading, asked) = match &view.form {
        Form::Frame { name, steps } => (name.clone(), steps_asked(steps, language)),
        Form::Open => (words.a_case.to_owned(), html! { p { (fill_isolated(words.no_form, company)) } }),
    };
    // Names may be written from right to left; `dir="auto"` decides for each text.
    let main = html! {
        p.from dir="auto" { (company) }
        h1 dir="auto" { (heading) }
        p { (fill_isolated(words.invitation, company)) }
        noscript {
            section.note aria-labelledby="no-script" {
                h2 #no-script { (words.no_script) }
                p { (fill_isolated(words.no_script_text, company)) }
            }
        }
        h2 { (words.steps) }
        (asked)
        h2 { (words.about) }
        (about(view, language))
        p.keep { (words.keep) }
    };
    Page { title: format!("{heading} – {company}"), main }
}

fn steps_asked(steps: &[AskedStep], language: Language) -> Markup {
    let words = language.words();
    html! {
        @if steps.is_empty() {
            p { (words.no_steps) }
        } @else {
            // Without list markers some browsers no longer announce a list; the role restores that.
            ol role="list" {
                @for step in steps {
                    li {
                        h3 dir="auto" { (step.title) }
                        p.kind {
                            (language.action(step.action)) ", "
                            @if step.mandatory { strong { (words.required) } } @else { (words.optional) }
                        }
                        @if !step.description.is_empty() {
                            p dir="auto" { (step.description) }
                        }
                        @if !step.options.is_empty() {
                            p { (fill_isolated(words.one_of, &step.options.join(" · "))) }
                        }
                    }
                }
            }
        }
    }
}

fn about(view: &LinkView, language: Language) -> Markup {
    let words = language.words();
    html! {
        dl {
            div {
                dt { (words.valid_until) }
                dd {
                    @match view.expires_at {
                        Some(moment) => time datetime=(moment.to_string()) { (language.moment(moment)) },
                        None => (words.no_end),
                    }
                }
            }
            div {
                dt { (words.uses_left) }
                dd {
                    @match view.uses_left {
                        Some(uses) => { (uses.left) (words.of) (uses.most) },
                        None => (words.no_limit),
                    }
                }
            }
            @if view.open_cases > 0 {
                div {
                    dt { (words.open_now) }
                    dd { (view.open_cases) }
                }
            }
        }
        @if view.open_cases > 0 && view.uses_left.is_some_and(|uses| uses.left == 0) {
            p.quiet { (words.open_stays) }
        }
    }
}

fn ended(words: &Words, company: &str, heading: &str, what: &Markup) -> Page {
    let main = html! {
        p.from dir="auto" { (company) }
        h1 { (heading) }
        p { (what) }
        p { (fill_isolated(words.ask_for_another, company)) }
    };
    Page { title: format!("{heading} – {company}"), main }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::link::UsesLeft, clock::Timestamp, domain::step::StepAction};

    fn view(state: LinkState) -> LinkView {
        let steps = vec![AskedStep {
            title: "<img src=x onerror=alert(1)>".to_owned(),
            description: "\"'&</li></main><script>".to_owned(),
            action: StepAction::Select,
            options: vec!["<b>".to_owned(), "{}".to_owned()],
            mandatory: true,
        }];
        LinkView {
            company_name: "A & B <Insurance> {}".to_owned(),
            state,
            form: Form::Frame { name: "</title><script>alert(2)</script>".to_owned(), steps },
            expires_at: Some(Timestamp::from_millis(1_795_168_800_000)),
            uses_left: Some(UsesLeft { left: 0, most: 3 }),
            open_cases: 1,
        }
    }

    #[test]
    fn a_company_s_texts_are_text_and_never_markup() {
        for state in [LinkState::Usable, LinkState::Expired, LinkState::UsedUp, LinkState::Withdrawn] {
            for language in [Language::English, Language::French] {
                let main = of_link(&view(state), language).main.into_string();
                for markup in ["<script", "<img", "<b>", "<Insurance", "</main>"] {
                    assert!(!main.contains(markup), "{state:?}: {markup} in {main}");
                }
                assert!(main.contains("A &amp; B &lt;Insurance&gt; {}"), "{main}");
            }
        }
    }

    #[test]
    fn a_page_shows_remaining_uses_and_what_to_do_without_scripts() {
        let main = of_link(&view(LinkState::Usable), Language::English).main.into_string();
        for text in ["This page needs JavaScript", "20 November 2026, 10:00 UTC", "0 of 3", "open cases stay open"] {
            assert!(main.contains(text), "{text} in {main}");
        }
        let open = LinkView { form: Form::Open, expires_at: None, uses_left: None, ..view(LinkState::Usable) };
        let main = of_link(&open, Language::French).main.into_string();
        for text in ["a besoin de JavaScript", "Aucun formulaire", "Fin de validité", "Sans limite"] {
            assert!(main.contains(text), "{text} in {main}");
        }
    }
}
