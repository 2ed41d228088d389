import { getAvailability, getDarkMinutes, getPlannedDarkness } from '#contract/http/insight/darkMinutes.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DarkMinutesService } from './darkMinutes.service.ts'

export const darkMinutesRoutes = (darkMinutes: DarkMinutesService): readonly Route[] => [
  route(getDarkMinutes, ({ query, caller }) => darkMinutes.ofDevice(query, caller)),
  route(getAvailability, ({ query, caller }) => darkMinutes.ofFleet(query, caller)),
  route(getPlannedDarkness, ({ query, caller }) => darkMinutes.planned(query, caller)),
]
