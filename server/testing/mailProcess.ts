import { openPool } from '#server/db/pool.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { createSmtpMailer } from '#server/mail/smtpMailer.ts'

// A process of its own around the queue of mails, for tests that kill it: `node mailProcess.ts <database url> <smtp url>`.
const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2)

const queue = new MailQueue({
  pool: openPool(databaseUrl, { maximumConnections: 3, name: 'test mails' }),
  mailer: createSmtpMailer({ url: smtpUrl, from: 'signs@signs.example' }),
  idDomain: 'signs.example',
  consoleUrl: 'https://signs.example',
  log: console,
})
await queue.sendDue()
process.exit(0)
