import type { Given } from '#server/features/feature.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { createPageCache } from './pageCache.ts'
import { createPageReading } from './pageReading.store.ts'
import { statusPagesToRead } from './publicPages.ts'
import { endedSubscriptionsJob, statusNewsJob } from './statusNews.store.ts'
import { statusPageRoutes } from './statusPages.routes.ts'
import { createStatusPages } from './statusPages.service.ts'
import { createStatusPageStore } from './statusPages.store.ts'
import { createSubscriberStore } from './subscribers.store.ts'
import { subscriptionPages } from './subscriptionPages.ts'

export function statusPagesFeature({ pool, db, clock, addresses }: Pick<Given, 'pool' | 'db' | 'clock' | 'addresses'>) {
  const publicUrl = () => addresses().httpUrl
  const { now } = clock
  const reading = createPageReading(db)
  const cache = createPageCache({ reading, publicUrl, now })
  const pages = createStatusPages({ store: createStatusPageStore(db), publicUrl, onChanged: cache.clear })
  const subscribers = createSubscriberStore(db)
  const onMail = createJobRinger(pool, MAILS_JOB)
  return {
    routes: statusPageRoutes(pages),
    openPages: [...statusPagesToRead(cache), ...subscriptionPages({ reading, subscribers, now, onMail })],
    jobs: [statusNewsJob, clock.deleting(endedSubscriptionsJob)],
  }
}
