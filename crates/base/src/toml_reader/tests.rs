use super::*;

#[test]
fn the_most_similar_word_is_found_ignoring_case() {
    let words = ["PHOTOGRAPHY", "VIDEO", "TEXT_FIELD"];
    assert_eq!(nearest("photo", words), Some("PHOTOGRAPHY"));
    assert_eq!(nearest("Text-Field", words), Some("TEXT_FIELD"));
    assert_eq!(nearest("", words), Some("PHOTOGRAPHY"), "the first of equals");
    assert_eq!(nearest("x", []), None);
}

#[test]
fn lines_and_paths_point_at_the_value() {
    let source = "[a]\nb = [\n  1,\n  \"x\",\n]\n\"odd key\" = 2\n";
    let problems = read("f.toml", source, |root| {
        root.required("a", "a table")?.table(|table| {
            let elements = table.required("b", "numbers")?.array("numbers")?;
            elements.iter().map(|element| element.number("a number", Some)).collect::<Option<Vec<_>>>()
        })
    })
    .unwrap_err();
    let messages: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        ["f.toml:4: a.b[1]: found \"x\", expected a number", "f.toml:6: a.\"odd key\": unknown key, did you mean `b`?"]
    );
}

#[test]
fn a_long_value_is_shortened_in_its_message() {
    let source = format!("a = \"{}\"", "é".repeat(1000));
    let problems = read("f.toml", &source, |root| root.required("a", "a number")?.number("a number", Some));
    assert_eq!(
        problems.unwrap_err()[0].to_string(),
        format!("f.toml:1: a: found \"{}…\", expected a number", "é".repeat(59))
    );
}

#[test]
fn warnings_alone_leave_the_value() {
    let read = read("f.toml", "a = 1", |root| {
        let field = root.required("a", "a number")?;
        field.warn("is odd");
        field.number("a number", Some)
    })
    .unwrap();
    assert_eq!(read.value, 1);
    assert_eq!(read.warnings[0].to_string(), "f.toml:1: warning: a: is odd");
}
