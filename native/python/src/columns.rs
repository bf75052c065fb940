//! The columns of a batch, as they were read from Python.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::texts::Texts;

/// One entry a row in each of them.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) rewards: Vec<f64>,
    pub(crate) task: Texts,
    pub(crate) trajectory: Texts,
    pub(crate) state: Texts,
    /// Where rows stand in their trajectory; in the order of the rows where it is absent.
    pub(crate) step: Option<Vec<i64>>,
    pub(crate) valid: Option<Vec<bool>>,
    /// Whether the row's trajectory achieved its task.
    pub(crate) success: Option<Vec<bool>>,
    /// What the state is worth.
    pub(crate) value: Option<Vec<f64>>,
    /// Numbers row after row, and how many a row has.
    pub(crate) embedding: Option<(Vec<f64>, usize)>,
    pub(crate) action: Option<Texts>,
    pub(crate) agent: Option<Texts>,
    pub(crate) context: Option<Texts>,
    pub(crate) observation: Option<Texts>,
    pub(crate) prompt: Option<Texts>,
    pub(crate) response: Option<Texts>,
    pub(crate) environment: Option<Texts>,
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
        let embedding = given("embedding")?.map(|column| {
            let matrix = column.cast::<PyArray2<f64>>()?.try_readonly()?;
            PyResult::Ok((matrix.as_slice()?.to_vec(), matrix.as_array().ncols()))
        });
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
        let embedding = self.embedding.iter();
        let embedding = embedding.map(|(numbers, width)| numbers.len() / (*width).max(1));
        let mut lengths =
            needed.map(|texts| texts.numbers.len()).chain(flags).chain(numbers).chain(embedding);
        let rows = self.rewards.len();
        rows > 0 && lengths.all(|length| length == rows)
    }
}

/// The numbers of an array, copied: who passed it may change it while the lock is let go.
fn vector<T: numpy::Element + Copy>(column: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = column.cast::<PyArray1<T>>()?.try_readonly()?;
    Ok(array.as_slice()?.to_vec())
}
