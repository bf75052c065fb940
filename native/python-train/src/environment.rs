//! Environment of one's own in this interpreter: the server of `hgpo.environment`, asked line by line.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use hgpo_native::run::external_environment::{Channel, Connector, ExternalInput, Way};
use pyo3::exceptions::PyModuleNotFoundError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What makes the environments, in Python.
#[derive(Debug)]
pub(crate) struct PythonEnvironment {
    factory: Py<PyAny>,
    agents: Vec<String>,
    name: String,
    /// The file that it is defined in, if there is one.
    file: Option<String>,
}

impl PythonEnvironment {
    /// A factory of environments, whose agents have names if there are several.
    ///
    /// # Errors
    /// `TypeError` if it cannot be called; `ModuleNotFoundError` without the package `hgpo`.
    pub(crate) fn new(factory: &Bound<'_, PyAny>, agents: Vec<String>) -> PyResult<Self> {
        let py = factory.py();
        if !factory.is_callable() {
            let problem =
                "environment: a class, or a function that gives an environment, is needed";
            return Err(pyo3::exceptions::PyTypeError::new_err(problem));
        }
        server_class(py)?;
        let text =
            |attribute: &str| factory.getattr(attribute).and_then(|it| it.extract::<String>());
        let name = text("__qualname__").or_else(|_| factory.get_type().qualname()?.extract())?;
        let name = match text("__module__") {
            Ok(module) => format!("{module}.{name}"),
            Err(_) => name,
        };
        // What was typed in has none.
        let file = py.import("inspect")?.call_method1("getsourcefile", (factory,));
        let file = file.and_then(|it| it.extract::<Option<String>>()).ok().flatten();
        let file = file.filter(|file| Path::new(file).is_file());
        Ok(Self { factory: factory.clone().unbind(), agents, name, file })
    }
}

fn server_class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    match py.import("hgpo.environment") {
        Ok(module) => module.getattr("Server"),
        Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => {
            let problem =
                "an environment needs the package hgpo beside hgpo-train: install it with pip";
            Err(PyModuleNotFoundError::new_err(problem))
        }
        Err(error) => Err(error),
    }
}

impl Connector for PythonEnvironment {
    fn connect(&self) -> Result<Box<dyn Channel>, String> {
        let server = Python::attach(|py| {
            let agents = PyDict::new(py);
            agents.set_item("agents", &self.agents)?;
            Ok(server_class(py)?.call((&self.factory,), Some(&agents))?.unbind())
        });
        let server = server.map_err(|error: PyErr| error.to_string())?;
        Ok(Box::new(Interpreter { server, requests: VecDeque::new() }))
    }

    fn record(&self) -> anyhow::Result<ExternalInput> {
        ExternalInput::new(Way::Object, &self.name, self.file.clone())
    }

    fn most_channels(&self) -> usize {
        1
    }
}

/// A server in this interpreter, which answers when its answer is waited for.
struct Interpreter {
    server: Py<PyAny>,
    requests: VecDeque<Vec<u8>>,
}

impl Channel for Interpreter {
    fn send(&mut self, line: Vec<u8>) {
        self.requests.push_back(line);
    }

    fn receive(&mut self, _: Duration) -> Result<Option<Vec<u8>>, String> {
        Python::attach(|py| {
            while let Some(line) = self.requests.pop_front() {
                let answer = self.server.call_method1(py, "answer", (line,));
                let answer = answer.and_then(|it| it.extract::<Option<String>>(py));
                if let Some(answer) = answer.map_err(|error| error.to_string())? {
                    return Ok(Some(answer.into_bytes()));
                }
            }
            Ok(None)
        })
    }
}
