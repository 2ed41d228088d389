import { deleteView, listViews, setDefaultView, setView } from '#contract/http/devices/views.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { SavedViews } from './views.service.ts'

export const savedViewRoutes = (views: SavedViews): readonly Route[] => [
  route(listViews, ({ query, caller }) => views.list(query.page, caller)),
  route(setView, ({ body, caller, change }) => views.set(body, caller, change)),
  route(deleteView, ({ body, caller, change }) => views.remove(body.id, caller, change)),
  route(setDefaultView, ({ body, caller, change }) => views.setDefault(body.page, body.id, caller, change)),
]
