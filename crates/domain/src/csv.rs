//! Lines of CSV (RFC 4180) that a spreadsheet can open without running what is in them.

/// A line with its line break.
pub fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| field(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

/// What a spreadsheet takes for the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

fn field(cell: &str) -> String {
    let mut neutral = String::with_capacity(cell.len());
    // In many languages, spreadsheets begin a new cell at a semicolon.
    for (place, part) in cell.split(';').enumerate() {
        neutral.push_str(if place > 0 { ";" } else { "" });
        neutral.push_str(if part.starts_with(FORMULA) { "'" } else { "" });
        neutral.push_str(part);
    }
    if neutral.contains([',', '"', '\r', '\n']) { format!("\"{}\"", neutral.replace('"', "\"\"")) } else { neutral }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_if_they_have_to_be() {
        assert_eq!(
            line(&["1", "", "a b", "a,b", "say \"x\"", "a\nb"]),
            "1,,a b,\"a,b\",\"say \"\"x\"\"\",\"a\nb\"\r\n"
        );
        assert_eq!(line(&[]), "\r\n");
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert_eq!(line(&[cell]), format!("'{cell}\r\n"));
        }
        assert_eq!(line(&["x;=1+1;y; z"]), "x;'=1+1;y; z\r\n");
        assert_eq!(line(&["=a,b"]), "\"'=a,b\"\r\n");
        assert_eq!(line(&["a=1"]), "a=1\r\n");
    }
}
