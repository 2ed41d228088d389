import type pg from 'pg'
import type { MailQueueNeeds } from '#server/mail/mailQueue.ts'
import { createAcknowledgeLinks } from '#server/notifying/acknowledgeLinks.ts'
import { judgeIncidents } from '#server/notifying/judgeIncidents.ts'

/** What the queue of mails knows of routes, as in a server. */
export const routedMails = (pool: pg.Pool): Pick<MailQueueNeeds, 'judge' | 'acknowledgeLink'> => ({
  judge: judgeIncidents,
  acknowledgeLink: createAcknowledgeLinks(pool, 'https://signs.example'),
})
