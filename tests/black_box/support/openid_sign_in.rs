//! A sign-in through an `OpenID` Connect provider, as a browser makes it.

use hyper::Method;

use super::{Answer, TestServer, client::send};

/// A sign-in that has begun.
pub(crate) struct Begun {
    pub(crate) location: String,
    pub(crate) set_cookie: String,
    /// `name=value`
    pub(crate) cookie: String,
}

impl Begun {
    /// From the server's redirect to the provider.
    pub(crate) fn of(answer: &Answer) -> Self {
        let set_cookie = answer.header("set-cookie").expect("a cookie");
        Self {
            location: answer.header("location").expect("an address").to_owned(),
            set_cookie: set_cookie.to_owned(),
            cookie: set_cookie.split(';').next().expect("a first part").to_owned(),
        }
    }

    pub(crate) fn state(&self) -> String {
        let url = url::Url::parse(&self.location).unwrap();
        url.query_pairs().find(|(name, _)| name == "state").expect("a state").1.into_owned()
    }
}

/// The answer to a browser that the provider sends back to the server.
pub(crate) async fn come_back(server: &TestServer, cookie: Option<&str>, address: &str) -> Answer {
    let request = server.anonymous().request(Method::GET, address);
    let request = match cookie {
        Some(cookie) => request.header("cookie", cookie),
        None => request,
    };
    send(request).await
}

/// The cookie as `name=value` if the answer sets it. `start` is its name and `=`.
pub(crate) fn cookie(answer: &Answer, start: &str) -> Option<String> {
    let mut all = answer.headers.get_all("set-cookie").iter().filter_map(|line| line.to_str().ok());
    Some(all.find(|line| line.starts_with(start))?.split(';').next()?.to_owned())
}
