import type pg from 'pg'
import type { MailQueueDeps } from '#server/mail/mailQueue.ts'
import { createAcknowledgeLinks } from '#server/notifications/acknowledgeLinks.ts'
import { judgeIncidents } from '#server/notifications/judgeIncidents.ts'
import { recipientMailSource } from '#server/notifications/recipientMails.ts'

/** Gives the mail queue its knowledge of routes, as a server does. */
export const routedMails = (pool: pg.Pool): Pick<MailQueueDeps, 'judge' | 'acknowledgeLink' | 'recipientMails'> => ({
  judge: judgeIncidents,
  recipientMails: recipientMailSource,
  acknowledgeLink: createAcknowledgeLinks(pool, 'https://signs.example'),
})
