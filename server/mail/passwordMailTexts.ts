import { inOneLine, type Mail } from './sending/mailer.ts'
import { escaped, mailPage } from './sending/mailHtml.ts'

export type PasswordMailKind = 'activation' | 'reset'

export interface PasswordMail {
  readonly kind: PasswordMailKind
  readonly username: string
  readonly token: string
  readonly lifetimeMinutes: number
  /** Nobody signed in asked for it. */
  readonly wasAskedByAnybody: boolean
}

type Content = Pick<Mail, 'subject' | 'text' | 'html'>

const DAY_MINUTES = 24 * 60

/**
 * Writes a mail with a link to set a password.
 *
 * @param consoleUrl the console's address, from the configuration only: anybody can send a Host header
 */
export function passwordMail(mail: PasswordMail, consoleUrl: string): Content {
  const { kind, token } = mail
  const username = inOneLine(mail.username)
  const isActivation = kind === 'activation'
  // Browsers never send what follows the number sign, so the token reaches no log and no other site.
  const link = `${consoleUrl}/${isActivation ? 'registration' : 'reset-password'}#token=${token}`
  const subject = isActivation ? 'Your account in Wayside' : 'A new password for Wayside'
  const opening = isActivation
    ? `An account was made for you in Wayside. Your username is ${username}.`
    : `With this link you set a new password for ${username} in Wayside.`
  const life = `The link works once and for ${formatLifetime(mail.lifetimeMinutes)}. A newer mail ends it.`
  const why = mail.wasAskedByAnybody
    ? 'Someone asked to reset the password of your username. If it was not you, ignore this e-mail: your password stays as it is.'
    : 'An administrator of Wayside asked for this mail. If you do not expect it, ask them before you use the link.'
  const action = isActivation ? 'Set your password' : 'Set a new password'
  return {
    subject,
    text: [opening, '', `${action}:`, link, '', life, '', '-- ', why, ''].join('\n'),
    html: mailPage(
      `<h2>${escaped(subject)}</h2><p>${escaped(opening)}</p>` +
        `<p><a href="${escaped(link)}">${escaped(action)}</a></p><p>${escaped(life)}</p>`,
      why,
    ),
  }
}

const formatLifetime = (minutes: number) =>
  minutes >= DAY_MINUTES ? `${Math.round(minutes / DAY_MINUTES)} days` : `${minutes} minutes`
