import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mail, type Mailer, MailFailure } from './mailer.ts'
import { mimeOf } from './mime.ts'

export interface OutboxMailerDeps {
  readonly folder: string
  readonly from: string
}

/**
 * Writes each mail as a file that mail programs open, where there is no mail server: nothing pretends to have been sent
 * (rules/formats 5). The Message-ID names the file, so another try replaces it.
 */
export class OutboxMailer implements Mailer {
  readonly #deps: OutboxMailerDeps
  #transport: ReturnType<typeof openTransport> | undefined

  constructor(deps: OutboxMailerDeps) {
    this.#deps = deps
  }

  async send(mail: Mail): Promise<{ readonly file: string }> {
    const { folder, from } = this.#deps
    this.#transport ??= openTransport()
    const { message } = await (await this.#transport).sendMail(mimeOf(mail, from))
    const file = join(folder, `${mail.messageId.replace(/[^\w.@-]/g, '')}.eml`)
    try {
      // Addresses and names of devices are for the operator of this machine only.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    } catch (error) {
      throw new MailFailure('server', String(error), { mayHaveArrived: false })
    }
    return { file }
  }
}

/** Loads the library late: most servers send nothing most of the time, and it takes 7 MB. */
async function openTransport() {
  const { createTransport } = await import('nodemailer')
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}
