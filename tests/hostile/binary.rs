//! Components built byte by byte, because no tool produces them (WebAssembly Core Specification, section 5; Component
//! Model, Binary.md).

const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
const MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// Sections of a component.
const CORE_MODULE: u8 = 1;
const CORE_INSTANCE: u8 = 2;
const NESTED_COMPONENT: u8 = 4;
/// Sections of a module.
const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const CODE: u8 = 10;

/// The component, with `count` more instances of a core module.
pub(super) fn with_instances(component: &[u8], module: &[u8], count: u32) -> Vec<u8> {
    let index = core_modules(component);
    let mut instances = leb(count);
    for _ in 0..count {
        instances.push(0);
        instances.extend(leb(index));
        instances.push(0);
    }
    [component, &section(CORE_MODULE, module), &section(CORE_INSTANCE, &instances)].concat()
}

/// How many core modules a component has at its top level.
fn core_modules(component: &[u8]) -> u32 {
    let mut rest = &component[COMPONENT.len()..];
    let mut count = 0;
    while let [id, after @ ..] = rest {
        let (size, length) = read_leb(after);
        count += u32::from(*id == CORE_MODULE);
        rest = &after[length + size..];
    }
    count
}

/// Components in components.
pub(super) fn deep_nesting(depth: usize) -> Vec<u8> {
    // Compute the lengths from the inside, so that the bytes can be written in order.
    let mut lengths = vec![COMPONENT.len()];
    for _ in 1..depth {
        let inner = lengths[lengths.len() - 1];
        lengths.push(COMPONENT.len() + 1 + leb(u32::try_from(inner).expect("it is small")).len() + inner);
    }
    let mut bytes = Vec::new();
    for inner in lengths.iter().rev().skip(1) {
        bytes.extend_from_slice(COMPONENT);
        bytes.push(NESTED_COMPONENT);
        bytes.extend(leb(u32::try_from(*inner).expect("it is small")));
    }
    bytes.extend_from_slice(COMPONENT);
    bytes
}

/// A component with this text.
pub(super) fn component_with(text: &str) -> Vec<u8> {
    wat::parse_str(format!("(component {text})")).expect("the text of a component")
}

/// A small component that takes hundreds of megabytes to compile: one function of many loops over many locals, each of
/// which a compiler must follow through every loop.
pub(super) fn compile_bomb() -> Vec<u8> {
    const LOCALS: u32 = 49_000;
    const LOOPS: u32 = 40_000;
    const I32: u8 = 0x7f;
    let mut body = [leb(1), leb(LOCALS), vec![I32]].concat();
    for number in 0..LOOPS {
        let (read, written) = (leb(number * 7919 % LOCALS), leb(number.wrapping_mul(104_729) % LOCALS));
        // loop, local.get, br_if 0, local.get, local.set, end.
        body.extend([&[0x03, 0x40, 0x20][..], &read, &[0x0d, 0, 0x20], &read, &[0x21], &written, &[0x0b]].concat());
    }
    body.push(0x0b);
    let code = [leb(1), leb(u32::try_from(body.len()).expect("it is bounded")), body].concat();
    // One type: no parameters, no results.
    let module =
        [MODULE, &section(TYPES, &[1, 0x60, 0, 0]), &section(FUNCTIONS, &[1, 0]), &section(CODE, &code)].concat();
    [COMPONENT, &section(CORE_MODULE, &module)].concat()
}

fn section(id: u8, content: &[u8]) -> Vec<u8> {
    let mut section = vec![id];
    section.extend(leb(u32::try_from(content.len()).expect("a section is small")));
    section.extend_from_slice(content);
    section
}

/// A number as LEB128.
fn leb(mut number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).expect("seven bits");
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A number, and its length in bytes.
fn read_leb(bytes: &[u8]) -> (usize, usize) {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate() {
        number |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return (number, index + 1);
        }
    }
    (number, bytes.len())
}
