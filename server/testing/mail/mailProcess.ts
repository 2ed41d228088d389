import { openPool } from '#server/db/connect/pool.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { SmtpMailer } from '#server/mail/sending/SmtpMailer.ts'
import { routedMails } from './routedMails.ts'

// Tests kill this process around the queue of mails: `node mailProcess.ts <database url> <smtp url>`.
const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2)

const pool = openPool(databaseUrl, { maximumConnections: 3, name: 'test mails' })
const queue = new MailQueue({
  ...routedMails(pool),
  pool,
  mailer: new SmtpMailer({ url: smtpUrl, from: 'signs@signs.example' }),
  idDomain: 'signs.example',
  consoleUrl: 'https://signs.example',
  log: console,
})
await queue.sendDue()
process.exit(0)
