//! OpenEnv server as a player: requests and answers of this protocol, as messages of OpenEnv (0.10) over WebSockets, a
//! connection for each episode that is played at the same time.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::ErrorKind;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::{anyhow, bail};
use serde_json::{Map, Value, json};
use tungstenite::client::client_with_config;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use super::channel::{Channel, Connector};
use super::process::LONGEST_LINE;
use super::protocol::{Numbered, Request, VERSION};
use super::record::{ExternalInput, Way};

/// How long a server may take to accept a connection.
const CONNECTING: Duration = Duration::from_secs(10);

/// An OpenEnv server, and how its fields are called.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// As it was given.
    name: String,
    /// Host and port.
    host: String,
    /// Names of fields in the messages of the server, by those here.
    fields: BTreeMap<&'static str, String>,
}

/// What is read of an observation, what an action is called, and the names that servers of `hgpo.openenv` have.
const FIELDS: [(&str, &str); 6] = [
    ("observation", "text"),
    ("actions", "admissible"),
    ("instruction", "instruction"),
    ("success", "won"),
    ("truncated", "truncated"),
    ("action", "text"),
];

impl Server {
    /// The server at an address such as `http://127.0.0.1:8000`, after which names of fields may follow:
    /// `#observation=prompt&action=message`.
    ///
    /// # Errors
    /// It is no such address, or one of another machine that is not trusted.
    pub(crate) fn new(name: &str, trusts: bool) -> anyhow::Result<Self> {
        let refused = |problem: &str| anyhow!("--environment-address {name:?}: {problem}");
        let (address, mapping) = name.split_once('#').unwrap_or((name, ""));
        let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
        if !["http", "ws"].contains(&scheme) {
            bail!(refused("only http:// is spoken; for another machine, use a tunnel (ssh -L)"));
        }
        let host = rest.trim_end_matches('/');
        let host = if host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let addresses = host.to_socket_addrs().map_err(|error| refused(&error.to_string()))?;
        if !trusts && !addresses.into_iter().all(|it| it.ip().is_loopback()) {
            bail!(refused("it is another machine: add --trust if you trust what it answers"));
        }
        let mut fields: BTreeMap<&str, String> =
            FIELDS.into_iter().map(|(own, theirs)| (own, theirs.to_owned())).collect();
        for pair in mapping.split('&').filter(|pair| !pair.is_empty()) {
            let known = pair.split_once('=').and_then(|(own, theirs)| {
                Some((FIELDS.into_iter().find(|(it, _)| *it == own)?.0, theirs))
            });
            let Some((own, theirs)) = known else {
                let all = FIELDS.map(|(own, _)| own).join(", ");
                bail!(refused(&format!("{pair:?} names no field: there are {all}")));
            };
            fields.insert(own, theirs.to_owned());
        }
        Ok(Self { name: name.to_owned(), host, fields })
    }

    fn open(&self) -> Result<Connection, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", self.host);
        let address = self.host.to_socket_addrs().map_err(|error| failed(&error))?.next();
        let address = address.ok_or_else(|| failed(&"no such host"))?;
        let stream =
            TcpStream::connect_timeout(&address, CONNECTING).map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        stream.set_read_timeout(Some(CONNECTING)).map_err(|error| failed(&error))?;
        let config = WebSocketConfig::default().max_message_size(Some(LONGEST_LINE as usize));
        let url = format!("ws://{}/ws", self.host);
        let opened = client_with_config(url, stream, Some(config));
        Ok(opened.map_err(|error| failed(&error))?.0)
    }

    /// The answer to a reset or a step, of what the server said.
    fn answer(&self, id: u64, said: &str, is_step: bool) -> Result<Map<String, Value>, String> {
        let problem = |problem: String| {
            let shown: String = said.chars().take(200).collect();
            format!("{problem}: {shown}")
        };
        let message: Value =
            serde_json::from_str(said).map_err(|_| problem("it sent no JSON".to_owned()))?;
        let data = message.get("data").cloned().unwrap_or_default();
        if message.get("type").and_then(Value::as_str) == Some("error") {
            let text = data.get("message").and_then(Value::as_str).unwrap_or("an error");
            return match data.get("code").and_then(Value::as_str) {
                // The connection is closed then.
                Some("CAPACITY_REACHED") => Err(format!(
                    "{text}: start it with room for as many sessions as episodes are played at a time"
                )),
                _ => Ok(object(json!({ "id": id, "error": text }))),
            };
        }
        let Some(Value::Object(mut seen)) = data.get("observation").cloned() else {
            return Err(problem("it sent no observation".to_owned()));
        };
        let mut take = |field: &str| seen.remove(&self.fields[field]).filter(|it| !it.is_null());
        let (text, actions, instruction) =
            (take("observation"), take("actions"), take("instruction"));
        let (success, truncated) = (take("success"), take("truncated"));
        let Some(text) = text else {
            let names: Vec<String> = seen.keys().cloned().collect();
            return Ok(object(json!({ "id": id, "error": format!(
                "the server's observation has no {}: name the text among {} with --environment-address \
                 '{}#observation=NAME'",
                self.fields["observation"], names.join(", "), self.name
            ) })));
        };
        let info = seen.into_iter().filter(|(_, value)| value.is_number());
        let mut answer =
            json!({ "id": id, "observation": text, "info": info.collect::<Map<_, _>>() });
        let listed = actions.filter(|actions| actions.as_array().is_none_or(|all| !all.is_empty()));
        if let Some(actions) = listed {
            answer["actions"] = actions;
        }
        if !is_step {
            answer["instruction"] = instruction.unwrap_or_else(|| "".into());
            return Ok(object(answer));
        }
        let is_done = data.get("done").and_then(Value::as_bool).unwrap_or(false);
        let is_truncated = truncated.and_then(|it| it.as_bool()).unwrap_or(false);
        let reward = data.get("reward").filter(|reward| !reward.is_null()).cloned();
        answer["reward"] = reward.unwrap_or_else(|| 0.0.into());
        answer["terminated"] = (is_done && !is_truncated).into();
        answer["truncated"] = (is_done && is_truncated).into();
        if let Some(success) = success {
            answer["success"] = success;
        }
        Ok(object(answer))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

impl Connector for Server {
    fn connect(&self) -> Result<Box<dyn Channel>, String> {
        let free = vec![self.open()?];
        let (playing, waiting) = (HashMap::new(), VecDeque::new());
        Ok(Box::new(Sessions { server: self.clone(), free, playing, waiting, lost: None }))
    }

    fn record(&self) -> anyhow::Result<ExternalInput> {
        ExternalInput::new(Way::Address, &self.name, [])
    }

    fn most_channels(&self) -> usize {
        1
    }
}

type Connection = WebSocket<TcpStream>;

/// Connections to a server, each of which plays one episode after another.
struct Sessions {
    server: Server,
    free: Vec<Connection>,
    playing: HashMap<u64, Connection>,
    /// Requests that are not answered yet, in their order.
    waiting: VecDeque<Waiting>,
    /// Why the server is of no more use.
    lost: Option<String>,
}

enum Waiting {
    /// An answer that needs no server.
    Known(Value),
    /// That of an episode.
    Of { id: u64, episode: u64, is_step: bool },
}

impl Sessions {
    fn carry_out(&mut self, line: &[u8]) -> Result<(), String> {
        let Numbered { id, request } =
            serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let (episode, message) = match request {
            Request::Hello { .. } => {
                self.waiting.push_back(Waiting::Known(json!({ "id": id, "protocol": VERSION })));
                return Ok(());
            }
            Request::Close { episode } => {
                self.free.extend(self.playing.remove(&episode));
                return Ok(());
            }
            Request::Copy { .. } | Request::Plan { .. } => {
                let answer = json!({ "id": id, "error": "OpenEnv has no such request" });
                self.waiting.push_back(Waiting::Known(answer));
                return Ok(());
            }
            Request::Reset { episode, seed, split } => {
                let free = self.free.pop().map_or_else(|| self.server.open(), Ok)?;
                self.playing.insert(episode, free);
                (episode, json!({ "type": "reset", "data": { "seed": seed, "split": split } }))
            }
            Request::Step { episode, action } => {
                let data = json!({ &self.server.fields["action"]: action });
                (episode, json!({ "type": "step", "data": data }))
            }
        };
        let is_step = message["type"] == "step";
        self.waiting.push_back(Waiting::Of { id, episode, is_step });
        let connection = self.playing.get_mut(&episode).ok_or("there is no such episode")?;
        connection.send(Message::text(message.to_string())).map_err(|error| error.to_string())
    }
}

impl Channel for Sessions {
    fn send(&mut self, line: Vec<u8>) {
        if let Err(problem) = self.carry_out(&line) {
            self.lost.get_or_insert(problem);
        }
    }

    fn receive(&mut self, within: Duration) -> Result<Option<Vec<u8>>, String> {
        if let Some(problem) = &self.lost {
            return Err(problem.clone());
        }
        let answer = match self.waiting.front() {
            None => return Err("it was asked nothing".to_owned()),
            Some(Waiting::Known(answer)) => answer.to_string(),
            Some(&Waiting::Of { id, episode, is_step }) => {
                let connection = self.playing.get_mut(&episode).ok_or("it is closed")?;
                // No time at all would be no limit.
                let within = within.max(Duration::from_millis(1));
                let set = connection.get_ref().set_read_timeout(Some(within));
                set.map_err(|error| error.to_string())?;
                match connection.read() {
                    Ok(Message::Text(said)) => {
                        Value::Object(self.server.answer(id, &said, is_step)?).to_string()
                    }
                    Ok(Message::Close(_)) => return Err("it closed the connection".to_owned()),
                    Ok(_) => return Ok(None),
                    Err(tungstenite::Error::Io(error))
                        if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                    {
                        return Ok(None);
                    }
                    Err(error) => return Err(error.to_string()),
                }
            }
        };
        self.waiting.pop_front();
        Ok(Some(answer.into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_this_machine_unless_trusted() {
        let refused = |address: &str| Server::new(address, false).unwrap_err().to_string();
        assert_eq!(Server::new("http://127.0.0.1:8000/", false).unwrap().host, "127.0.0.1:8000");
        assert_eq!(Server::new("localhost", false).unwrap().host, "localhost:80");
        assert!(refused("ws://192.0.2.1:8000").contains("--trust"));
        assert!(Server::new("ws://192.0.2.1:8000", true).is_ok());
        assert!(refused("https://127.0.0.1").contains("tunnel"));
        assert!(refused("http://127.0.0.1:1#text=prompt").contains("there are observation, "));
    }

    #[test]
    fn messages_become_answers_with_the_fields_that_are_named() {
        let own = Server::new("127.0.0.1:1", false).unwrap();
        let said = r#"{"type":"observation","data":{"observation":{"text":"x","admissible":["a"],
            "instruction":"Do.","won":true,"score":0.5,"truncated":false},"reward":1.5,"done":true}}"#;
        let expected = json!({ "id": 3, "observation": "x", "actions": ["a"], "reward": 1.5,
            "terminated": true, "truncated": false, "success": true, "info": { "score": 0.5 } });
        assert_eq!(Value::Object(own.answer(3, said, true).unwrap()), expected);
        let other = Server::new("127.0.0.1:1#observation=prompt", false).unwrap();
        let answer = other.answer(3, said, true).unwrap();
        assert!(
            answer["error"]
                .as_str()
                .unwrap()
                .contains("no prompt: name the text among score, text")
        );
        let full = r#"{"type":"error","data":{"message":"full","code":"CAPACITY_REACHED"}}"#;
        assert!(own.answer(3, full, true).unwrap_err().contains("full: start it with room"));
    }
}
