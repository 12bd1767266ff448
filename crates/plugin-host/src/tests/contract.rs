//! The contract is stable: what was released is unchanged, and components built for it still run.

use std::{collections::BTreeMap, path::Path, time::Duration};

use wit_parser::{Function, Interface, Resolve, Type, TypeDefKind, WorldKey};

use super::*;
use crate::{
    SignaturePolicy, USUAL_FUEL_PER_SECOND, cache::CompiledCache, call, compiler::Compiler, component::Acceptance,
    runtime::Runtimes, webhook_auth,
};

/// Frozen copies of the released contracts, each in a folder named after its version. That of 0.1.0 also has the
/// components of the first modes.
const FROZEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/contract");
const RELEASED: [&str; 3] = ["0.1.0", "0.1.1", "0.1.2"];
const CURRENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");

#[test]
fn components_built_for_0_1_0_are_accepted_and_answer_as_before() {
    let runtimes = Runtimes::new(Some(USUAL_FUEL_PER_SECOND)).unwrap();
    let (compiler, signatures) = (Compiler::new(None), SignaturePolicy::default());
    let cache = CompiledCache::open(CACHE.into(), [7; 32]).unwrap();
    let acceptance =
        Acceptance { runtimes: &runtimes, cache: Some(&cache), compiler: &compiler, signatures: &signatures };
    let expected = [
        ("bearer", pair("authorization", "Bearer Jefe")),
        ("security-token", pair("security-token", "Jefe")),
        ("partner-apikey", pair("x-partner-apikey", "acme-key")),
        ("hmac-sha256", pair("authorization", format!("HMAC-SHA256 acme-key:{SIGNATURE}"))),
    ];
    for (mode, header) in expected {
        let bytes = std::fs::read(Path::new(FROZEN).join(format!("0.1.0/{mode}.wasm"))).unwrap();
        let imports = String::from_utf8_lossy(&bytes).contains("sealwright:plugin/webhook@0.1.0");
        assert!(imports, "{mode} is not what was built for 0.1.0");
        let plugin = acceptance.accept(mode, &bytes, false).unwrap();
        assert_eq!(plugin.info.roles, [Role::WebhookAuth]);
        let credential = WebhookCredential { grant_reveal: true, ..credential() };
        let (headers, _) =
            call::run(plugin.linked.engine(), mode, runtimes.budget(Duration::from_secs(1)), Vec::new(), |store| {
                webhook_auth::authenticate(&plugin, store, request(), credential)
            });
        let headers = headers.unwrap();
        let first = (headers[0].0.to_string(), headers[0].1.to_str().unwrap().to_owned());
        assert_eq!(first, header);
    }
}

#[test]
fn nothing_that_was_released_has_changed() {
    let current = shape(CURRENT);
    for version in RELEASED {
        let released = shape(&format!("{FROZEN}/{version}/wit"));
        assert!(released.len() > 20, "{version}: {released:?}");
        for (item, shape) in released {
            assert_eq!(current.get(&item), Some(&shape), "{item} of {version}");
        }
    }
}

/// Each type, function and world of a contract, by its path, as a text in which every difference shows.
fn shape(folder: &str) -> BTreeMap<String, String> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder).unwrap();
    let package = &resolve.packages[package];
    let version = package.name.version.as_ref().unwrap();
    let mut shapes = BTreeMap::new();
    for (name, id) in &package.interfaces {
        let interface = &resolve.interfaces[*id];
        for (function, definition) in &interface.functions {
            shapes.insert(format!("{name}/{function}"), function_shape(&resolve, definition));
        }
        for (kind, id) in &interface.types {
            shapes.insert(format!("{name}/{kind}"), kind_shape(&resolve, &resolve.types[*id].kind));
        }
        if is_exported(&resolve, interface) {
            let functions: Vec<_> = interface.functions.keys().collect();
            shapes.insert(format!("{name} in full"), format!("{functions:?}"));
        }
    }
    for (name, id) in &package.worlds {
        let world = &resolve.worlds[*id];
        let keys = |keys: Vec<&WorldKey>| keys.iter().map(|key| resolve.name_world_key(key)).collect::<Vec<_>>();
        let exports = keys(world.exports.keys().collect()).join(" ");
        // The package's own version may grow.
        shapes.insert(format!("world {name}"), exports.replace(&format!("@{version}"), ""));
    }
    shapes
}

/// Whether some world exports the interface: a new function would break existing components.
fn is_exported(resolve: &Resolve, interface: &Interface) -> bool {
    let name = interface.name.as_deref().unwrap_or_default();
    resolve
        .worlds
        .iter()
        .any(|(_, world)| world.exports.keys().any(|key| resolve.name_world_key(key).contains(&format!("/{name}@"))))
}

fn function_shape(resolve: &Resolve, function: &Function) -> String {
    let params: Vec<_> =
        function.params.iter().map(|param| format!("{}: {}", param.name, type_shape(resolve, &param.ty))).collect();
    let result = function.result.as_ref().map(|result| type_shape(resolve, result));
    format!("({}) -> {result:?}", params.join(", "))
}

fn type_shape(resolve: &Resolve, given: &Type) -> String {
    match given {
        Type::Id(id) => match &resolve.types[*id].name {
            Some(name) => name.clone(),
            None => kind_shape(resolve, &resolve.types[*id].kind),
        },
        simple => format!("{simple:?}"),
    }
}

fn kind_shape(resolve: &Resolve, kind: &TypeDefKind) -> String {
    let shape = |given: &Type| type_shape(resolve, given);
    let optional = |given: &Option<Type>| given.as_ref().map(shape).unwrap_or_default();
    match kind {
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter().map(|field| format!("{}: {}", field.name, shape(&field.ty)));
            format!("record {:?}", fields.collect::<Vec<_>>())
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter().map(|case| format!("{}({})", case.name, optional(&case.ty)));
            format!("variant {:?}", cases.collect::<Vec<_>>())
        }
        TypeDefKind::Enum(cases) => {
            format!("enum {:?}", cases.cases.iter().map(|case| &case.name).collect::<Vec<_>>())
        }
        TypeDefKind::List(element) => format!("list<{}>", shape(element)),
        TypeDefKind::Option(inner) => format!("option<{}>", shape(inner)),
        TypeDefKind::Result(result) => format!("result<{}, {}>", optional(&result.ok), optional(&result.err)),
        TypeDefKind::Tuple(tuple) => format!("{:?}", tuple.types.iter().map(shape).collect::<Vec<_>>()),
        TypeDefKind::Handle(handle) => match handle {
            wit_parser::Handle::Own(id) => shape(&Type::Id(*id)),
            wit_parser::Handle::Borrow(id) => format!("borrow<{}>", shape(&Type::Id(*id))),
        },
        TypeDefKind::Type(other) => shape(other),
        TypeDefKind::Resource => "resource".to_owned(),
        other => format!("{other:?}"),
    }
}
