import type { Given } from '../feature.ts'
import { channelRoutes } from './channels.routes.ts'
import { createChannels } from './channels.service.ts'
import { createChannelStore } from './channels.store.ts'

/** Ways to tell somebody outside. */
export const channelsFeature = ({
  db,
  clock,
  tellOutside,
  addresses,
}: Pick<Given, 'db' | 'clock' | 'tellOutside' | 'addresses'>) => ({
  routes: channelRoutes(
    createChannels({
      store: createChannelStore(db),
      tellOutside,
      now: clock.now,
      publicUrl: () => addresses().httpUrl,
    }),
  ),
})
