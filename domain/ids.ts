/** Ids are branded, so that a device's number cannot be passed as a customer's. */
type Branded<Base, Name extends string> = Base & { readonly __brand: Name }

export type DeviceId = Branded<number, 'DeviceId'>
/** The public identity of a device: its MQTT user name and the address of its page. */
export type DeviceGuid = Branded<string, 'DeviceGuid'>
export type CustomerId = Branded<number, 'CustomerId'>
export type CountryId = Branded<number, 'CountryId'>
export type UserId = Branded<number, 'UserId'>
export type RoleId = Branded<number, 'RoleId'>
/** One field of one numbered component, e.g. the backlight of display 2; see `catalogue/fieldId.ts`. */
export type FieldId = Branded<number, 'FieldId'>
export type EventTypeId = Branded<number, 'EventTypeId'>
export type DeviceModelId = Branded<number, 'DeviceModelId'>
export type ComponentModelId = Branded<number, 'ComponentModelId'>
export type AlertId = Branded<number, 'AlertId'>
export type IncidentId = Branded<number, 'IncidentId'>
export type ComponentCategoryId = Branded<number, 'ComponentCategoryId'>
