import { send } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { sendRegistrationEmail, sendResetPasswordEmail } from '#contract/http/people/account.ts'
import type { UserId } from '#domain/ids.ts'

const MAILS = {
  activation: {
    call: sendRegistrationEmail,
    title: 'Send activation email',
    question: messages.confirmActivationEmail,
    sent: messages.registrationEmailSent,
  },
  reset: {
    call: sendResetPasswordEmail,
    title: 'Send reset password email',
    question: messages.confirmResetPasswordEmail,
    sent: messages.resetPasswordEmailSent,
  },
} as const
export type PasswordMail = keyof typeof MAILS

/** It sends a mail with a link to set a password, and says where it went (rules/messages 10). */
export async function sendMail(mail: PasswordMail, id: UserId): Promise<void> {
  const { call, sent } = MAILS[mail]
  try {
    toasts.success(sent(await send(call, { query: { id } })))
  } catch (failure) {
    toasts.failure(failure)
  }
  await refreshAfter(call)
}

export async function askAndSendMail(mail: PasswordMail, id: UserId, name: string): Promise<void> {
  const { title, question } = MAILS[mail]
  if (await confirmDialog({ title, text: question(name) })) await sendMail(mail, id)
}
