//! Every screen of the pages in every state, on a telephone: no rule of WCAG 2.2 on the levels A and AA that a program can
//! check is broken, in light and in dark, and nothing is wider than a narrow screen (decisions 16).
//!
//! `SEALWRIGHT_TEST_SCREENSHOTS=<folder>` also writes pictures of every screen in three widths, and then walks in German,
//! too.

mod console;
mod field;
mod inspector;
mod link;
mod list;
mod verify_page;

use std::path::PathBuf;

use crate::support::browser;

/// The folder for the pictures, if they are wanted.
fn pictures() -> Option<PathBuf> {
    std::env::var_os("SEALWRIGHT_TEST_SCREENSHOTS").map(PathBuf::from)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_of_a_link_is_accessible_in_every_state() {
    if browser::is_there() {
        link::walk("en").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_of_a_link_is_accessible_from_right_to_left() {
    if browser::is_there() {
        link::walk("ar").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_of_the_field_app_is_accessible_in_every_state() {
    if browser::is_there() {
        field::walk("en").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_of_the_field_app_is_accessible_from_right_to_left() {
    if browser::is_there() {
        field::walk("ar").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_of_the_console_is_accessible() {
    if browser::is_there() {
        console::walk().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_words_of_the_list_of_cases_are_whole_at_every_width() {
    if browser::is_there() {
        list::assert_whole_words().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_state_of_the_page_that_checks_certificates_is_accessible() {
    if browser::is_there() {
        verify_page::walk().await;
    }
}

/// Only for pictures: German has the longest words of the eight languages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_is_accessible_with_long_words() {
    if pictures().is_some() && browser::is_there() {
        link::walk("de").await;
        field::walk("de").await;
    }
}
