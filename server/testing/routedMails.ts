import type pg from 'pg'
import type { MailQueueNeeds } from '#server/mail/mailQueue.ts'
import { createAcknowledgeLinks } from '#server/notifying/acknowledgeLinks.ts'
import { judgeIncidents } from '#server/notifying/judgeIncidents.ts'
import { recipientMailSource } from '#server/notifying/recipientMails.ts'

/** What the queue of mails knows of routes, as in a server. */
export const routedMails = (pool: pg.Pool): Pick<MailQueueNeeds, 'judge' | 'acknowledgeLink' | 'recipientMails'> => ({
  judge: judgeIncidents,
  recipientMails: recipientMailSource,
  acknowledgeLink: createAcknowledgeLinks(pool, 'https://signs.example'),
})
