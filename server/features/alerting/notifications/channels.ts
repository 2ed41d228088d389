import type { Given } from '#server/features/feature.ts'
import { channelRoutes } from './channels.routes.ts'
import { createChannels } from './channels.service.ts'
import { createChannelStore } from './channels.store.ts'
import { recipientPages } from './recipientPages.ts'
import { createRecipientStore } from './recipients.store.ts'

export const channelsFeature = ({
  db,
  clock,
  tellOutside,
  addresses,
  cipher,
}: Pick<Given, 'db' | 'clock' | 'tellOutside' | 'addresses' | 'cipher'>) => ({
  routes: channelRoutes(
    createChannels({
      store: createChannelStore(db, cipher),
      tellOutside,
      now: clock.now,
      publicUrl: () => addresses().httpUrl,
    }),
  ),
  openPages: recipientPages({ recipients: createRecipientStore(db), now: clock.now }),
})
