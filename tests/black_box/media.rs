//! Files that are served to anyone who knows their address: photos, videos and certificates (spec 4.16, decisions 9).

use hyper::Method;
use image::{ImageReader, RgbImage};
use sealwright_lab::PhotoOptions;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    Answer, TestServer,
    client::{Upload, send},
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, VIDEO, acme_on},
    evidence::{add_capture, add_document, close, identity_card, open_case, signature, video},
    on_both_databases, pdf,
};

on_both_databases!(
    spec_4_16_an_image_is_an_upright_png_without_metadata_or_the_original,
    decisions_9_a_png_loses_its_metadata_too,
    decisions_9_a_file_that_the_client_has_is_not_sent_again,
    spec_4_16_an_invalid_or_unknown_address_is_400_or_404,
    decisions_9_a_video_is_served_in_ranges,
    decisions_9_a_pending_certificate_is_awaited_and_served_inline,
);

async fn spec_4_16_an_image_is_an_upright_png_without_metadata_or_the_original(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let public = api.with_token(None);
    let mut shown = Vec::new();
    for stored_rotated in [false, true] {
        let taken = photo_of(&PhotoOptions { width: 160, height: 96, stored_rotated, ..PhotoOptions::default() });
        assert!(contains(&taken, b"Exif\0\0"), "the photo has metadata to lose");
        let file = Upload { bytes: taken.clone(), name: "front.jpg", media_type: "image/jpeg" };
        let url = url_of(&add_capture(&api, case, PHOTOGRAPHY, file).await, "imageUrl");
        let key = url.strip_prefix(&format!("{}/images/", server.base_url())).expect("an address of an image");
        assert!(key.len() >= 22, "{key} has fewer than 128 bits");

        // The answer to browsers, curl and programs without a preference.
        for accept in ["", "*/*", "image/avif,image/webp,image/png,image/*;q=0.8,*/*;q=0.5", "image/png", "text/html"] {
            let answer = send(public.request(Method::GET, &url).header("accept", accept)).await.expect(200);
            assert_eq!(answer.header("content-type"), Some("image/png"), "{accept}");
            assert_public(&answer);
            assert_eq!(chunks(&answer.body), ["IHDR", "IDAT", "IEND"], "nothing but pixels");
        }
        let png = public.get(&url).await.expect(200);
        let pixels = decode(&png.body);
        assert_eq!(pixels.dimensions(), (160, 96), "upright");
        shown.push(pixels);

        let originals = [
            send(public.request(Method::GET, &url).header("accept", "image/jpeg")).await,
            send(public.request(Method::GET, &url).header("accept", "IMAGE/JPEG;q=1, */*;q=0.1")).await,
            public.get(&format!("{url}?original=1")).await,
            public.get(&format!("{url}?size=2&original=1&original=%FF")).await,
        ];
        for answer in originals {
            assert_eq!(answer.clone().expect(200).header("content-type"), Some("image/jpeg"));
            assert_eq!(answer.body, taken, "every byte as it was sent");
            assert_public(&answer);
        }
        // A cache must not give one client what another asked for.
        assert!(png.header("vary").is_some_and(|vary| vary.eq_ignore_ascii_case("accept")), "{:?}", png.headers);
    }
    let [plain, rotated] = &shown[..] else { panic!("two photos") };
    assert!(difference(plain, rotated) < 8.0, "the rotated photo is shown as the plain one is");
    assert!(difference(plain, &image::imageops::rotate180(plain)) > 16.0, "the scene has an up and a down");

    // The webhook has the hash of the original. A document is served as it was sent, and may not run anything.
    let card = identity_card().bytes;
    let url = url_of(&add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await, "documentUrl");
    let document = public.get(&url).await.expect(200);
    assert_eq!(document.header("content-type"), Some("application/pdf"));
    assert_eq!(document.body, card);
    assert_public(&document);
    let closed = close(&api, case).await.expect(200).json();
    let certificate = public.get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
    if let Some(content) = pdf::read(&certificate.body) {
        let sealed = Value::from(content.json_attachments).to_string();
        assert!(sealed.contains(&hex::encode(Sha256::digest(&card))), "{sealed}");
    }
}

async fn decisions_9_a_png_loses_its_metadata_too(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // The author, in a text chunk after the header of 8 + 25 bytes.
    let mut named = signature().bytes;
    named.splice(33..33, chunk(*b"tEXt", b"Author\0Flora Field"));
    let file = Upload { bytes: named.clone(), name: "signature.png", media_type: "image/png" };
    let url = url_of(&add_capture(&api, case, SIGNATURE, file).await, "imageUrl");
    let public = api.with_token(None);
    let shown = public.get(&url).await.expect(200);
    assert_eq!(chunks(&shown.body), ["IHDR", "IDAT", "IEND"], "nothing but pixels");
    assert_eq!(decode(&shown.body), decode(&signature().bytes), "the same pixels");
    for accepted in ["image/jpeg", "image/png"] {
        let original = public.request(Method::GET, &format!("{url}?original=1")).header("accept", accepted);
        let original = send(original).await.expect(200);
        assert_eq!(original.header("content-type"), Some("image/png"));
        assert_eq!(original.body, named, "every byte as it was sent");
    }
}

async fn decisions_9_a_file_that_the_client_has_is_not_sent_again(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let image = url_of(&add_capture(&api, case, SIGNATURE, signature()).await, "imageUrl");
    let film = url_of(&add_capture(&api, case, VIDEO, video()).await, "videoUrl");
    let closed = close(&api, case).await.expect(200).json();
    let certificate = closed["pdfUrl"].as_str().unwrap().to_owned();
    let public = api.with_token(None);
    let mut tags = Vec::new();
    for url in [image.clone(), format!("{image}?original=1"), film, certificate] {
        let first = public.get(&url).await.expect(200);
        let tag = first.header("etag").expect("an entity tag").to_owned();
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20, "{tag}");
        assert_eq!(public.get(&url).await.expect(200).header("etag"), Some(tag.as_str()), "the tag stays");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let answer = send(public.request(Method::GET, &url).header("if-none-match", &known)).await.expect(304);
            assert!(answer.body.is_empty());
            assert_eq!(answer.header("etag"), Some(tag.as_str()));
            assert_eq!(answer.header("cache-control"), first.header("cache-control"));
        }
        send(public.request(Method::GET, &url).header("if-none-match", "\"other\"")).await.expect(200);
        let head = send(public.request(Method::HEAD, &url)).await.expect(200);
        assert_eq!(head.header("content-length"), Some(first.body.len().to_string().as_str()));
        assert_eq!(head.header("etag"), Some(tag.as_str()));
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 4, "other bytes have another tag: {tags:?}");
}

async fn spec_4_16_an_invalid_or_unknown_address_is_400_or_404(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let image = url_of(&add_capture(&api, case, SIGNATURE, signature()).await, "imageUrl");
    let film = url_of(&add_capture(&api, case, VIDEO, video()).await, "videoUrl");
    let public = api.with_token(None);
    for folder in ["/images", "/medias/video"] {
        for invalid in ["x", "%00", "..%2F..%2Fetc%2Fpasswd", "%FF", &"0".repeat(31), &"0".repeat(33), &"g".repeat(32)]
        {
            public.get(&format!("{folder}/{invalid}")).await.expect(400).error_message();
        }
        public.get(&format!("{folder}/{}", "0".repeat(32))).await.expect(404).error_message();
        public.get(&format!("{folder}/")).await.expect(404).error_message();
    }
    // A photo is not a video, and a video is not an image.
    public.get(&film.replace("/medias/video/", "/images/")).await.expect(404).error_message();
    public.get(&image.replace("/images/", "/medias/video/")).await.expect(404).error_message();
    public.get(&image.replace("/images/", "/share/case/")).await.expect(404).error_message();
    for unknown in ["x", "%00", "%FF", &"0".repeat(32)] {
        public.get(&format!("/share/case/{unknown}")).await.expect(404).error_message();
    }
    for path in [&image, &film] {
        send(public.request(Method::POST, path)).await.expect(405).error_message();
        send(public.request(Method::DELETE, path)).await.expect(405).error_message();
    }
    // An invalid token does no harm if none is needed.
    api.with_token(Some("nonsense")).get(&image).await.expect(200);
    // A file that only starts like a picture has an address but no PNG.
    let mut damaged = signature().bytes;
    damaged.truncate(60);
    let file = Upload { bytes: damaged.clone(), name: "half.png", media_type: "image/png" };
    let url = url_of(&add_capture(&api, case, SIGNATURE, file).await, "imageUrl");
    public.get(&url).await.expect(404).error_message();
    assert_eq!(public.get(&format!("{url}?original=1")).await.expect(200).body, damaged);
}

async fn decisions_9_a_video_is_served_in_ranges(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let film = video().bytes;
    let size = film.len();
    let url = url_of(&add_capture(&api, case, VIDEO, video()).await, "videoUrl");
    let public = api.with_token(None);
    let whole = public.get(&url).await.expect(200);
    assert_eq!(whole.header("content-type"), Some("video/mp4"));
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    assert_eq!(whole.header("content-length"), Some(size.to_string().as_str()));
    assert_eq!(whole.body, film);
    assert_public(&whole);
    let tag = whole.header("etag").unwrap();

    let ask = async |range: &str, condition: Option<&str>| {
        let request = public.request(Method::GET, &url).header("range", range);
        send(match condition {
            Some(tag) => request.header("if-range", tag),
            None => request,
        })
        .await
    };
    for (range, part) in [
        ("bytes=0-0".to_owned(), 0..1),
        ("bytes=0-".to_owned(), 0..size),
        ("bytes=4-11".to_owned(), 4..12),
        (format!("bytes=65530-{}", 65_545), 65_530..65_546),
        (format!("bytes={}-", size - 1), size - 1..size),
        (format!("bytes=10-{}", size + 1000), 10..size),
        ("bytes=-7".to_owned(), size - 7..size),
        (format!("bytes=-{}", size + 1000), 0..size),
    ] {
        let answer = ask(&range, None).await.expect(206);
        let content_range = format!("bytes {}-{}/{size}", part.start, part.end - 1);
        assert_eq!(answer.header("content-range"), Some(content_range.as_str()), "{range}");
        assert_eq!(answer.header("content-length"), Some(part.len().to_string().as_str()), "{range}");
        assert_eq!(answer.header("content-type"), Some("video/mp4"));
        assert_eq!(answer.header("etag"), Some(tag));
        assert_eq!(answer.body, film[part], "{range}");
        assert_public(&answer);
    }
    for range in [format!("bytes={size}-"), format!("bytes={}-{}", size + 1, size + 2), "bytes=-0".to_owned()] {
        let answer = ask(&range, None).await.expect(416);
        assert_eq!(answer.header("content-range"), Some(format!("bytes */{size}").as_str()), "{range}");
        answer.error_message();
    }
    // RFC 9110, 14.2: a malformed range, another unit or several parts may be answered with the whole file.
    for range in ["bytes=", "bytes=5-1", "bytes=x-y", "items=0-1", "bytes=0-1,4-5", "bytes 0-1"] {
        assert_eq!(ask(range, None).await.expect(200).body, film, "{range}");
    }
    assert_eq!(ask("bytes=0-3", Some(tag)).await.expect(206).body, film[..4]);
    for other in ["\"other\"", "Fri, 20 Nov 2026 10:00:00 GMT"] {
        assert_eq!(ask("bytes=0-3", Some(other)).await.expect(200).body, film, "{other}");
    }
    let unchanged = public.request(Method::GET, &url).header("range", "bytes=0-3").header("if-none-match", tag);
    send(unchanged).await.expect(304);
    // RFC 9110, 14.2: ranges apply to GET only.
    for range in ["bytes=0-3", "bytes=99999999-"] {
        let head = send(public.request(Method::HEAD, &url).header("range", range)).await.expect(200);
        assert_eq!(head.header("content-length"), Some(size.to_string().as_str()), "{range}");
        assert_eq!(head.header("content-range"), None);
    }
}

async fn decisions_9_a_pending_certificate_is_awaited_and_served_inline(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let public = api.with_token(None);
    // Closed one after the other and requested at once, so that most of them are still to be rendered.
    let mut closed = Vec::new();
    for _ in 0..4 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        closed.push((case, close(&api, case).await.expect(200).json()));
    }
    for (case, closed) in &closed {
        let url = closed["pdfUrl"].as_str().unwrap();
        let token =
            url.strip_prefix(&format!("{}/share/case/", server.base_url())).expect("an address of a certificate");
        assert!(token.len() >= 22, "{token} has fewer than 128 bits");
        let certificate = public.get(url).await.expect(200);
        assert_eq!(certificate.header("content-type"), Some("application/pdf"));
        let disposition = format!("inline; filename=\"CAS-{case}_CMP-7.pdf\"");
        assert_eq!(certificate.header("content-disposition"), Some(disposition.as_str()));
        assert!(certificate.body.starts_with(b"%PDF-"));
        assert_public(&certificate);
        // Browsers get the PDF as well, and every client gets the same one.
        let again = public.request(Method::GET, url).header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        let again = send(again).await.expect(200);
        assert_eq!(again.header("content-type"), Some("application/pdf"));
        assert_eq!(again.body, certificate.body);
    }
}

/// The headers of all public files (decisions 9).
#[track_caller]
fn assert_public(answer: &Answer) {
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let policy = answer.header("content-security-policy").expect("a content security policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    assert!(answer.header("content-disposition").unwrap().starts_with("inline"));
    assert!(answer.header("etag").is_some() && answer.header("cache-control").is_some(), "{:?}", answer.headers);
    assert_eq!(answer.header("set-cookie"), None);
}

#[track_caller]
fn url_of(answer: &Answer, field: &str) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()[field].as_str().expect("a URL").to_owned()
}

fn photo_of(options: &PhotoOptions) -> Vec<u8> {
    sealwright_lab::photo(options).expect("draw a photograph")
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The types of a PNG's chunks in order, consecutive ones once.
fn chunks(png: &[u8]) -> Vec<String> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").expect("the signature of a PNG");
    let mut types: Vec<String> = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        types.push(String::from_utf8_lossy(&head[4..]).into_owned());
        // The content and its checksum.
        rest = &after[length + 4..];
    }
    types.dedup();
    types
}

/// A chunk of a PNG, with its checksum (CRC-32 of the PNG specification, section 5.5).
fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [&name[..], content].concat();
    let checksum = !body.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 })
    });
    let length = u32::try_from(content.len()).expect("a short text").to_be_bytes();
    [&length[..], &body, &checksum.to_be_bytes()].concat()
}

fn decode(png: &[u8]) -> RgbImage {
    let reader = ImageReader::with_format(std::io::Cursor::new(png), image::ImageFormat::Png);
    reader.decode().expect("a PNG that can be decoded").into_rgb8()
}

/// The mean difference of two pictures of the same size, on a scale of 256 per channel.
pub(crate) fn difference(one: &RgbImage, other: &RgbImage) -> f64 {
    let sum: u64 = one.iter().zip(other.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let count = u32::try_from(one.len()).expect("a small picture");
    f64::from(u32::try_from(sum).expect("a small picture")) / f64::from(count)
}
