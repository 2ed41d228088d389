/** Names the headers of an answer that browsers obey only over HTTPS. */
export const namesOnlyForTls = (headers: Headers): readonly string[] =>
  [...headers.keys()].filter((name) => /^(strict-transport-security|cross-origin-opener|origin-agent)/.test(name))
