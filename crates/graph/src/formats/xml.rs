//! Access to texts and attributes of XML, for the reader of GraphML and GEXF.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::error::Problem;
use crate::tokens::shown;

/// The start of an element.
pub(super) struct Element<'e>(pub &'e BytesStart<'e>);

const XML_REMEDY: &str = "correct the XML, or export the graph again";

/// Returns the text of an event; `None` if the event is something else.
///
/// # Errors
/// [`Problem`] if the text needs entities that a DTD defines.
pub(super) fn text(event: Event<'_>) -> Result<Option<String>, Problem> {
    Ok(Some(match event {
        Event::Text(text) => text.xml10_content().into_owned(),
        Event::CData(text) => text.xml10_content().into_owned(),
        Event::GeneralRef(name) => resolved(&name.into_inner())?,
        _ => return Ok(None),
    }))
}

/// Returns the character that `&name;` stands for.
fn resolved(name: &str) -> Result<String, Problem> {
    let character = unescape(&format!("&{name};")).map(Cow::into_owned);
    character.map_err(|_| {
        malformed!(
            "the entity &{}; is unknown (write &amp; &lt; &gt; &quot; &apos; or a number such as \
             &#233;)",
            shown(name.as_bytes()).replace('\'', "")
        )
    })
}

/// Explains an error of the parser.
pub(super) fn problem(error: &quick_xml::Error) -> Problem {
    match error {
        quick_xml::Error::Io(error) => Problem::of_stream(error),
        quick_xml::Error::Encoding(_) => malformed!(
            "the text is not UTF-8 (convert it: iconv -f ISO-8859-1 -t UTF-8 old.xml > new.xml)"
        ),
        other => malformed!("this is not well-formed XML: {other} ({XML_REMEDY})"),
    }
}

impl Element<'_> {
    /// Returns the name of the element without a prefix.
    pub fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Returns the value of an attribute.
    ///
    /// # Errors
    /// [`Problem`] if the value, or any attribute of the element, is not well-formed.
    pub fn attribute(&self, name: &str) -> Result<Option<String>, Problem> {
        let mut value = None;
        for attribute in self.0.attributes() {
            let attribute = attribute.map_err(|error| {
                malformed!("this is not well-formed XML: {error} ({XML_REMEDY})")
            })?;
            if attribute.key.as_ref() == name {
                let text = attribute.normalized_value(XmlVersion::Implicit1_0);
                value = Some(text.map_err(|error| problem(&error))?.into_owned());
            }
        }
        Ok(value)
    }

    /// Returns the value of a required attribute.
    pub fn required(&self, name: &str) -> Result<String, Problem> {
        self.attribute(name)?.ok_or_else(|| {
            malformed!(
                "the element has no attribute {name} (correct it, or export the graph again)"
            )
        })
    }
}
