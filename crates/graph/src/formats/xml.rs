//! Access to texts and attributes of XML, for the reader of GraphML and GEXF.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::unescape;
use quick_xml::events::attributes::Attribute;
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
        Event::DocType(text) if text.contains("<!ENTITY") => {
            refuse!("the document type defines entities (export the graph again without them)")
        }
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
        let found = self.find(|key| key == name)?;
        let value = found.map(|attribute| attribute.normalized_value(XmlVersion::Implicit1_0));
        let value = value.transpose().map_err(|error| problem(&error))?;
        Ok(value.map(Cow::into_owned))
    }

    /// Returns whether a vertex, an edge or a value of GEXF exists for some time only.
    pub fn has_times(&self) -> Result<bool, Problem> {
        let is_time = |key: &str| {
            matches!(key, "start" | "end" | "startopen" | "endopen")
                || matches!(key, "timestamp" | "timestamps" | "intervals")
        };
        Ok(self.find(is_time)?.is_some())
    }

    /// Returns the id of the attribute whose value an `attvalue` of GEXF holds.
    pub fn value_id(&self) -> Result<String, Problem> {
        let id = self.attribute("for")?;
        // Older versions of the format have `id` in place of `for`.
        id.map_or_else(|| self.required("id"), Ok)
    }

    /// Returns the attribute whose name satisfies a condition. Checks the syntax of all attributes,
    /// so that errors do not depend on the condition.
    fn find(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Option<Attribute<'_>>, Problem> {
        let mut found = None;
        for attribute in self.0.attributes() {
            let attribute = attribute.map_err(|error| {
                malformed!("this is not well-formed XML: {error} ({XML_REMEDY})")
            })?;
            if is_wanted(attribute.key.as_ref()) {
                found = Some(attribute);
            }
        }
        Ok(found)
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
