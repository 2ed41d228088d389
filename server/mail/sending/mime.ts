import { type Mail, PICTURE_ID } from './mailer.ts'

/** What every mail of ours looks like to the library, whichever way it goes. */
export function mimeOf({ messageId, to, subject, text, html, picture, unsubscribeUrl }: Mail, from: string) {
  return {
    messageId,
    from: { name: 'Wayside', address: from },
    to: { name: '', address: to },
    // Given apart, so that no header can add a recipient.
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    ...(picture && {
      attachments: [
        {
          filename: 'chart.png',
          content: picture,
          contentType: 'image/png',
          cid: PICTURE_ID,
          contentDisposition: 'inline' as const,
        },
      ],
    }),
    // Nobody's holiday notice is to answer, and nothing of ours lies in a file or elsewhere.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
