import type { IncomingMessage } from 'node:http'

/** Node.js takes the first of several, and a proxy in front may have taken another. */
export const hasOneHost = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length < 2
