import { type Mail, PICTURE_ID } from './mailer.ts'

const CHART = {
  ...{ filename: 'chart.png', contentType: 'image/png', cid: PICTURE_ID },
  contentDisposition: 'inline' as const,
}

/** Builds every mail for the library in the same way, however it is sent. */
export function mimeOf(
  { messageId, to, subject, text, html, picture, attachment, unsubscribeUrl }: Mail,
  from: string,
) {
  return {
    messageId,
    from: { name: 'Wayside', address: from },
    to: { name: '', address: to },
    // The envelope is separate, so that no header can add a recipient.
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    attachments: [
      ...(picture ? [{ ...CHART, content: picture }] : []),
      ...(attachment ? [{ ...attachment, contentType: 'application/pdf' }] : []),
    ],
    // Holiday notices must not answer, and the library may read no file and no address.
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
