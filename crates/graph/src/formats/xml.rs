//! What the readers of GraphML and GEXF share: pieces of XML, each with the line it ends in.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::unescape;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::error::Problem;
use crate::input::{LineReader, TextStream};
use crate::tokens::shown;

/// Cuts a file into elements and text.
pub(super) struct Xml<'r, 'a> {
    reader: Reader<TextStream<'r, 'a>>,
    buffer: Vec<u8>,
    /// Elements that are open.
    depth: u64,
}

/// A piece of a file. An element without content is a start and an end.
pub(super) enum Piece {
    Start(Element),
    End,
    /// A part of the text of the element that is open.
    Text(String),
    Eof,
}

/// The start of an element.
pub(super) struct Element(BytesStart<'static>);

const BROKEN: &str = "correct the XML, or export the graph again";

impl<'r, 'a> Xml<'r, 'a> {
    pub fn new(lines: &'r mut LineReader<'a>) -> Self {
        let mut reader = Reader::from_reader(TextStream(lines));
        reader.config_mut().expand_empty_elements = true;
        Xml {
            reader,
            buffer: Vec::new(),
            depth: 0,
        }
    }

    /// The line where the last piece ends.
    pub fn line(&self) -> u64 {
        self.reader.get_ref().0.number()
    }

    /// The next piece that matters.
    ///
    /// # Errors
    /// [`Problem`] if the XML is not well-formed, or needs entities that a DTD defines.
    pub fn next(&mut self) -> Result<Piece, Problem> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let piece = match event.map_err(|error| problem(&error))? {
                Event::Start(start) => {
                    self.depth += 1;
                    Piece::Start(Element(start.into_owned()))
                }
                Event::End(_) => {
                    self.depth -= 1;
                    Piece::End
                }
                Event::Text(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(name) => Piece::Text(resolved(&name.into_inner())?),
                Event::DocType(text) if text.contains("<!ENTITY") => refuse!(
                    "the document type defines entities (export the graph again without them)"
                ),
                Event::Eof if self.depth > 0 => refuse!(
                    "the file ends while an element is open (fetch or export the file again)"
                ),
                Event::Eof => Piece::Eof,
                Event::Empty(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::Comment(_)
                | Event::DocType(_) => continue,
            };
            return Ok(piece);
        }
    }
}

/// The character that `&name;` stands for.
fn resolved(name: &str) -> Result<String, Problem> {
    let character = unescape(&format!("&{name};")).map(Cow::into_owned);
    character.map_err(|_| {
        malformed!(
            "the entity &{}; (only &amp; &lt; &gt; &quot; &apos; and numbers such as &#233; are \
             known)",
            shown(name.as_bytes()).replace('\'', "")
        )
    })
}

pub(super) fn problem(error: &quick_xml::Error) -> Problem {
    match error {
        quick_xml::Error::Io(error) => Problem::of_stream(error),
        quick_xml::Error::Encoding(_) => malformed!(
            "the text is not UTF-8 (convert it: iconv -f ISO-8859-1 -t UTF-8 old.xml > new.xml)"
        ),
        other => malformed!("this is no well-formed XML: {other} ({BROKEN})"),
    }
}

impl Element {
    /// The element that an event starts.
    pub fn of(start: &BytesStart<'_>) -> Element {
        Element(start.to_owned())
    }

    /// Its name without a prefix.
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

    /// Returns whether the element has one of these attributes.
    ///
    /// # Errors
    /// [`Problem`] if any attribute of the element is not well-formed.
    pub fn has_any(&self, names: &[&str]) -> Result<bool, Problem> {
        Ok(self.find(|key| names.contains(&key))?.is_some())
    }

    /// Returns the attribute with such a name. Looks at all of them: an element that was read can
    /// be copied, and the copy asks for other attributes too.
    fn find(&self, is_asked: impl Fn(&str) -> bool) -> Result<Option<Attribute<'_>>, Problem> {
        let mut found = None;
        for attribute in self.0.attributes() {
            let attribute = attribute
                .map_err(|error| malformed!("this is no well-formed XML: {error} ({BROKEN})"))?;
            if is_asked(attribute.key.as_ref()) {
                found = Some(attribute);
            }
        }
        Ok(found)
    }

    /// The value of an attribute that has to be there.
    pub fn required(&self, name: &str) -> Result<String, Problem> {
        self.attribute(name)?.ok_or_else(|| {
            malformed!("the element has no {name} (correct it, or export the graph again)")
        })
    }
}
