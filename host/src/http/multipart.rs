//! The multipart form of an upload: `file` and its description, in either order (spec 4.13). The file goes to the blob
//! store as it arrives; if the request is rejected, nothing is left there.

mod metered_body;

use axum::{
    body::Body,
    extract::{FromRequest, Multipart, Request, multipart::Field},
};

use serde_json::Value;

use self::metered_body::{MeteredBody, Unread};
use super::body::{parse_json, read_with};
use crate::{
    blobs::Blobs,
    domain::item::NewItem,
    error::{Error, Result},
    media::{Accepts, StoredFile, Upload},
};

/// The maximum size of a description, in bytes.
const DTO_LIMIT: usize = 1024 * 1024;

/// Reads the form: the item's description and its file, which is stored.
pub(super) async fn read(request: Request, blobs: &Blobs, accepts: Accepts) -> Result<(NewItem, StoredFile)> {
    read_as(request, blobs, accepts, ("createItemDto", NewItem::read)).await
}

/// The name of the part with the description, and the reader of its JSON.
type Description<T> = (&'static str, fn(&Value) -> Result<T, Vec<String>>);

/// Reads a form whose description is another than an item's.
pub(super) async fn read_as<T>(
    request: Request,
    blobs: &Blobs,
    accepts: Accepts,
    description: Description<T>,
) -> Result<(T, StoredFile)> {
    let unread = Unread::default();
    let request = request.map(|body| Body::new(MeteredBody::new(body, unread.clone())));
    let form = Multipart::from_request(request, &())
        .await
        .map_err(|_| Error::invalid("the body must be multipart/form-data with a boundary"))?;
    let mut form = Form { form, unread };
    let mut file = None;
    let item = read_parts(&mut form, &mut file, (blobs, accepts), description).await;
    match (item, file) {
        (Ok(item), Some(file)) => Ok((item, file)),
        (Ok(_), None) => Err(Error::invalid("file is required")),
        (Err(refusal), file) => {
            if let Some(file) = file {
                file.discard().await;
            }
            Err(refusal)
        }
    }
}

/// The form, and how many bytes its parser has read but not handed out.
struct Form {
    form: Multipart,
    unread: Unread,
}

impl Form {
    async fn next_part(&mut self) -> Result<Option<Part<'_>>> {
        let field = self.form.next_field().await.map_err(malformed)?;
        self.unread.reset();
        Ok(field.map(|field| Part { field, unread: &self.unread }))
    }
}

struct Part<'a> {
    field: Field<'a>,
    unread: &'a Unread,
}

impl Part<'_> {
    fn name(&self) -> Option<String> {
        self.field.name().map(str::to_owned)
    }

    async fn chunk(&mut self) -> Result<Option<bytes::Bytes>> {
        let chunk = self.field.chunk().await.map_err(malformed)?;
        self.unread.reset();
        Ok(chunk)
    }
}

/// Reads the parts until the end or the first invalid one; a completely received file is in `file` either way.
async fn read_parts<T>(
    form: &mut Form,
    file: &mut Option<StoredFile>,
    (blobs, accepts): (&Blobs, Accepts),
    (description, read): Description<T>,
) -> Result<T> {
    let mut item = None;
    while let Some(mut part) = form.next_part().await? {
        match part.name().as_deref() {
            Some(name) if name == description && item.is_none() => {
                item = Some(read_description(part, description, read).await?);
            }
            Some("file") if file.is_none() => *file = Some(read_file(part, blobs, accepts).await?),
            Some(name) if name == description || name == "file" => {
                return Err(Error::invalid(format!("{name} is given more than once")));
            }
            // Unknown parts are ignored, like unknown fields.
            _ => while part.chunk().await?.is_some() {},
        }
    }
    item.ok_or_else(|| Error::invalid(format!("{description} is required")))
}

async fn read_description<T>(mut part: Part<'_>, name: &str, read: fn(&Value) -> Result<T, Vec<String>>) -> Result<T> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await? {
        if bytes.len() + chunk.len() > DTO_LIMIT {
            return Err(Error::invalid(format!("{name} must be at most {DTO_LIMIT} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    let body = parse_json(name, &bytes)?;
    read_with(&body, read)
}

async fn read_file(mut part: Part<'_>, blobs: &Blobs, accepts: Accepts) -> Result<StoredFile> {
    let mut upload = Upload::new(blobs, accepts);
    while let Some(chunk) = part.chunk().await? {
        upload = upload.push(chunk).await?;
    }
    Ok(upload.finish().await?)
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn malformed(error: axum::extract::multipart::MultipartError) -> Error {
    Error::invalid(format!("the multipart body is malformed or was cut off: {}", error.body_text()))
}
