//! Columns of a batch, as they were read from Python.

use std::ops::Range;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use hgpo_core::read_json;
use hgpo_core::token_fields::TOKEN_FIELDS;
use serde_json::Value;

use crate::exceptions::Failure;
use crate::text_columns::Texts;

/// Lists of numbers, one after the other.
#[derive(Debug)]
pub(crate) struct Embeddings {
    numbers: Vec<f64>,
    extents: Extents,
}

/// Which of the numbers are whose.
#[derive(Debug)]
enum Extents {
    /// So many of each row.
    Even(usize),
    /// These of a row, if it has any.
    Uneven(Vec<Option<Range<usize>>>),
}

impl Embeddings {
    /// Reads them from a matrix, or from numbers with the length of each row, -1 if it has none.
    fn read(column: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok((numbers, lengths)) = column.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
            let mut end = 0;
            let place = |length: i64| {
                let length = usize::try_from(length).ok()?;
                end += length;
                Some(end - length..end)
            };
            let rows = vector::<i64>(&lengths)?.into_iter().map(place).collect();
            return Ok(Self { numbers: vector(&numbers)?, extents: Extents::Uneven(rows) });
        }
        let matrix = column.cast::<PyArray2<f64>>()?.try_readonly()?;
        let width = matrix.as_array().ncols();
        Ok(Self { numbers: matrix.as_slice()?.to_vec(), extents: Extents::Even(width) })
    }

    fn len(&self) -> usize {
        match &self.extents {
            Extents::Even(width) => self.numbers.len() / (*width).max(1),
            Extents::Uneven(rows) => rows.len(),
        }
    }

    /// The numbers of a row.
    pub(crate) fn get(&self, row: usize) -> Option<&[f64]> {
        match &self.extents {
            Extents::Even(width) => self.numbers.get(row * width..(row + 1) * width),
            Extents::Uneven(rows) => self.numbers.get(rows.get(row)?.clone()?),
        }
    }
}

/// Name of a field of tokens, and the list of every row that has one.
type TokenField = (&'static str, Vec<Option<Value>>);

/// One entry per row in each of them.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) rewards: Vec<f64>,
    pub(crate) task: Texts,
    pub(crate) trajectory: Texts,
    pub(crate) state: Texts,
    /// Where rows stand in their trajectory; in the order of the rows if it is absent.
    pub(crate) step: Option<Vec<i64>>,
    pub(crate) valid: Option<Vec<bool>>,
    /// Whether the row's trajectory achieved its task.
    pub(crate) success: Option<Vec<bool>>,
    /// What the state is worth; NaN if that is not known.
    pub(crate) value: Option<Vec<f64>>,
    pub(crate) embedding: Option<Embeddings>,
    pub(crate) action: Option<Texts>,
    pub(crate) agent: Option<Texts>,
    pub(crate) context: Option<Texts>,
    pub(crate) observation: Option<Texts>,
    pub(crate) prompt: Option<Texts>,
    pub(crate) response: Option<Texts>,
    pub(crate) environment: Option<Texts>,
    /// Fields of tokens.
    pub(crate) tokens: Vec<TokenField>,
}

impl Columns {
    /// Reads them from a dictionary, in the forms that the package's Python part makes, all of the same
    /// length.
    ///
    /// # Errors
    /// The first row of a column of texts that cannot be read.
    pub(crate) fn read(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = |name: &str| columns.get_item(name);
        let needed = |name: &str| {
            let column = given(name)?
                .ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.to_owned()))?;
            Texts::read(name, &column, false)
        };
        let optional =
            |name: &str| given(name)?.map(|column| Texts::read(name, &column, true)).transpose();
        let numbers = |name: &str| given(name)?.map(|column| vector::<f64>(&column)).transpose();
        let flags = |name: &str| given(name)?.map(|column| vector::<bool>(&column)).transpose();
        let embedding = given("embedding")?.map(|column| Embeddings::read(&column));
        let columns = Self {
            rewards: numbers("rewards")?.unwrap_or_default(),
            task: needed("task")?,
            trajectory: needed("trajectory")?,
            state: needed("state")?,
            step: given("step")?.map(|column| vector::<i64>(&column)).transpose()?,
            valid: flags("valid")?,
            success: flags("success")?,
            value: numbers("value")?,
            embedding: embedding.transpose()?,
            action: optional("action")?,
            agent: optional("agent")?,
            context: optional("context")?,
            observation: optional("observation")?,
            prompt: optional("prompt")?,
            response: optional("response")?,
            environment: optional("environment")?,
            tokens: tokens(columns)?,
        };
        if !columns.are_of_one_length() {
            // A column of a kind of its own may have said another length than it has.
            let problem = "a column has another number of rows than it said: pass lists or arrays";
            return Err(Failure::Value(problem.to_owned()).into());
        }
        Ok(columns)
    }

    /// Whether all columns have as many rows as `rewards`, and one at least.
    fn are_of_one_length(&self) -> bool {
        let texts = [&self.action, &self.agent, &self.context, &self.observation, &self.prompt];
        let texts = texts.into_iter().chain([&self.response, &self.environment]).flatten();
        let needed = [&self.task, &self.trajectory, &self.state].into_iter().chain(texts);
        let flags = [&self.valid, &self.success].into_iter().flatten().map(Vec::len);
        let numbers = self.value.iter().map(Vec::len).chain(self.step.iter().map(Vec::len));
        let embedding = self.embedding.iter().map(Embeddings::len);
        let tokens = self.tokens.iter().map(|(_, rows)| rows.len());
        let mut lengths = needed
            .map(|texts| texts.numbers.len())
            .chain(flags)
            .chain(numbers)
            .chain(embedding)
            .chain(tokens);
        let rows = self.rewards.len();
        rows > 0 && lengths.all(|length| length == rows)
    }
}

/// The fields of tokens that there are, from lists of JSON texts.
fn tokens(columns: &Bound<'_, PyDict>) -> PyResult<Vec<TokenField>> {
    let mut tokens = Vec::new();
    for name in TOKEN_FIELDS {
        if let Some(column) = columns.get_item(name)? {
            let texts = column.extract::<Vec<Option<String>>>()?;
            let list = |(row, text): (usize, Option<String>)| {
                let list = text.map(|text| read_json(&text)).transpose();
                list.map_err(|error| Failure::at(row, format!("`{name}` {error}")))
            };
            let lists = texts.into_iter().enumerate().map(list).collect::<Result<_, _>>()?;
            tokens.push((name, lists));
        }
    }
    Ok(tokens)
}

/// The numbers of an array, copied: who passed it may change it while the lock is let go.
pub(crate) fn vector<T: numpy::Element + Copy>(column: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = column.cast::<PyArray1<T>>()?.try_readonly()?;
    Ok(array.as_slice()?.to_vec())
}
