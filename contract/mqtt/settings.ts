import { z } from 'zod'

/** Topic `settings`: what the device has and where it stands. Versioned as a whole; the newest wins. */
export const deviceSettings = z.object({
  version: z.int().min(1),
  modelId: z.int(),
  timeZone: z.string(),
  components: z.array(z.object({ componentModelId: z.int(), number: z.int().min(1), label: z.string() })),
})
export type DeviceSettings = z.output<typeof deviceSettings>
