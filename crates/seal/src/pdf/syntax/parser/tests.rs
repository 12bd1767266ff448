use super::*;

fn parse(text: &str) -> Result<Value, PdfError> {
    let mut parser = Parser::new(text.as_bytes(), 0);
    let node = parser.value()?;
    assert_eq!(node.span, 0..text.len(), "{text}");
    Ok(node.value)
}

#[test]
fn values_are_read_as_the_standard_writes_them() {
    assert_eq!(parse("null").unwrap(), Value::Null);
    assert_eq!(parse("-17").unwrap(), Value::Integer(-17));
    assert_eq!(parse("-.002").unwrap(), Value::Real);
    assert_eq!(parse("12 0 R").unwrap(), Value::Reference(12));
    assert_eq!(parse("/A#20B").unwrap(), Value::Name(b"A B".to_vec()));
    assert_eq!(parse("<4e 6F7>").unwrap(), Value::String(b"Nop".to_vec()));
    assert_eq!(
        parse(
            r"(a(b)\)\053\n\
c)"
        )
        .unwrap(),
        Value::String(b"a(b))+\nc".to_vec())
    );
    let Value::Array(elements) = parse("[1 2 0 R 3 % comment\n 4]").unwrap() else { panic!() };
    assert_eq!(elements.len(), 4);
    let Value::Dictionary(dictionary) = parse("<</A 1/B<</C[/D]>>>>").unwrap() else { panic!() };
    assert_eq!(dictionary.integer("A"), Some(1));
    assert!(dictionary.dictionary("B").is_some());
}

#[test]
fn what_is_not_a_value_is_rejected() {
    let deep = "[".repeat(40);
    for text in
        ["", "<<", "<</A>>", "<</A 1/A 2>>", "<</A 1/#41 2>>", "(", "[1", "<4G>", "nul", "1x", "--1", "5 1 R", &deep]
    {
        assert!(parse(text).is_err(), "{text}");
    }
}
