import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly messageId: string
  readonly raw: string
  readonly readable: string
}

/** Returns what the server answers to a recipient, or instead of accepting a mail; undefined accepts. */
export interface MailManners {
  readonly onRecipient?: (address: string) => number | undefined
  /** Runs when a mail has arrived whole, before it is accepted. */
  readonly onMail?: (mail: ReceivedMail) => void | Promise<void>
}

const refusal = (responseCode: number) => Object.assign(new Error('Not this one.'), { responseCode })

const headerOf = (raw: string, name: string) => new RegExp(`^${name}: (.*)\r\n`, 'mi').exec(raw)?.[1] ?? ''

export async function startMailServer(port = 0, manners: MailManners = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const code = manners.onRecipient?.(address)
      done(code === undefined ? null : refusal(code))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString()
        const readable = Buffer.from(
          raw
            .replaceAll('=\r\n', '')
            .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString()
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const mail = { to, messageId: headerOf(raw, 'Message-ID'), raw, readable }
        mails.push(mail)
        await manners.onMail?.(mail)
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo
  return {
    mails,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>
