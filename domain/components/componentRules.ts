import { numberedFieldById } from '../catalogue/fieldId.ts'
import type { ButtonRule } from '../displays/buttonRules.ts'
import { tidied } from '../texts/nameRule.ts'
import { notValid, required } from '../validation/messages.ts'
import { CATEGORY, categoryOfModel, componentCategory, LABEL_NAMES, requiredLabels } from './componentFields.ts'
import { COMPONENT_MODELS, type ComponentCategory, type ComponentModel } from './componentModels.ts'
import type { ComponentProblem, EditedComponent } from './deviceComponent.ts'

const NUMBER_TITLE = 'Invalid component number'
const TOUCH_TITLE = 'Invalid display touch screen setting'
const ADD_TITLE = 'Add component failed'
const INCOMPLETE_TITLE = 'Invalid component'

const nameOf = ({ modelId, number }: EditedComponent) =>
  `${categoryOfModel(modelId)?.name ?? `Component of model ${modelId}`} ${number}`

const kept = (components: readonly EditedComponent[]) => components.filter(({ removed }) => !removed)

/**
 * Returns why these components of one device cannot be saved; undefined when they can. The order is numbers,
 * duplicates, touch screens, and only then what is missing (rules/components 9).
 */
export function componentProblem(components: readonly EditedComponent[]): ComponentProblem | undefined {
  const present = kept(components)
  return (
    firstOf(present, numberProblem) ??
    duplicateProblem(present) ??
    touchProblem(present) ??
    firstOf(present, incompleteness)
  )
}

function firstOf(
  components: readonly EditedComponent[],
  judge: (component: EditedComponent) => ComponentProblem | undefined,
): ComponentProblem | undefined {
  for (const component of components) {
    const problem = judge(component)
    if (problem) return problem
  }
  return undefined
}

function numberProblem({ modelId, number }: EditedComponent): ComponentProblem | undefined {
  const category = categoryOfModel(modelId)
  // A missing model is reported as incomplete instead.
  if (!category || (Number.isInteger(number) && number >= 1 && number <= category.maximumNumber)) return undefined
  return {
    title: NUMBER_TITLE,
    text: `Component numbers must start with 1 and maximum number for ${category.name} is ${category.maximumNumber}.`,
  }
}

function duplicateProblem(components: readonly EditedComponent[]): ComponentProblem | undefined {
  const taken = new Set<string>()
  for (const { modelId, number } of components) {
    const category = categoryOfModel(modelId)
    if (!category) continue
    const place = `${category.id}/${number}`
    if (taken.has(place)) {
      return { title: NUMBER_TITLE, text: `Component number ${number} is already used in ${category.name}!` }
    }
    taken.add(place)
  }
  return undefined
}

function touchProblem(components: readonly EditedComponent[]): ComponentProblem | undefined {
  const displayOf = new Map<number, number>()
  for (const component of components) {
    const { touchMatrix, number } = component
    if (!isDisplay(component) || touchMatrix === null || touchMatrix === undefined) continue
    const other = displayOf.get(touchMatrix)
    if (other !== undefined) {
      return {
        title: TOUCH_TITLE,
        text: `Touch screen ${touchMatrix} is set in display ${other} and ${number}, one touch screen can be linked only to one display!`,
      }
    }
    displayOf.set(touchMatrix, number)
  }
  return undefined
}

const isDisplay = ({ modelId }: EditedComponent) => categoryOfModel(modelId)?.id === CATEGORY.display

const incomplete = (text: string): ComponentProblem => ({ title: INCOMPLETE_TITLE, text })

/** Returns what is missing or impossible in one component (rules/components 7), for the dialog that adds it. */
export function incompleteness(component: EditedComponent): ComponentProblem | undefined {
  const category = categoryOfModel(component.modelId)
  if (!category) return incomplete(component.modelId ? notValid('Model') : required('Model'))
  const name = nameOf(component)
  for (const field of requiredLabels(category.id)) {
    if (tidied(component[field]) === '') return incomplete(required(`${name} ${LABEL_NAMES[field]}`))
  }
  if (category.id === CATEGORY.display) return linkProblem(component, name)
  if (category.id === CATEGORY.buttons) return buttonProblem(component.jsonSettings ?? [], name)
  return undefined
}

function linkProblem({ als, touchMatrix }: EditedComponent, name: string): ComponentProblem | undefined {
  const links = [
    { field: `${name} ambient sensor`, number: als, categoryId: CATEGORY.ambientSensor },
    { field: `${name} touch screen`, number: touchMatrix, categoryId: CATEGORY.touchScreen },
  ]
  for (const { field, number, categoryId } of links) {
    if (number === undefined) return incomplete(required(field))
    const maximum = componentCategory(categoryId)?.maximumNumber ?? 0
    if (number !== null && !(Number.isInteger(number) && number >= 1 && number <= maximum)) {
      return incomplete(notValid(field))
    }
  }
  return undefined
}

function buttonProblem(rules: readonly ButtonRule[], name: string): ComponentProblem | undefined {
  const numbers = new Set<number>()
  for (const { number, active, measurement } of rules) {
    if (numbers.has(number)) return incomplete(notValid(`${name} item ${number}`))
    numbers.add(number)
    if (active && measurement === null) return incomplete(required(`${name} item ${number} measurement`))
    if (measurement !== null && !numberedFieldById(measurement)?.field.isMeasurement) {
      return incomplete(notValid(`${name} item ${number} measurement`))
    }
  }
  return undefined
}

/** Returns why no further component of this model can be added; undefined when one can (rules/components 6). */
export function addProblem(components: readonly EditedComponent[], modelId: number): ComponentProblem | undefined {
  const category = categoryOfModel(modelId)
  if (!category) return incomplete(required('Model'))
  if (ofCategory(components, category).length < category.maximumNumber) return undefined
  const { name, maximumNumber } = category
  return {
    title: ADD_TITLE,
    text:
      maximumNumber === 1
        ? `Only one ${name} component is allowed per device.`
        : `Only ${maximumNumber} ${name} components are allowed per device.`,
  }
}

const ofCategory = (components: readonly EditedComponent[], { id }: ComponentCategory) =>
  kept(components).filter(({ modelId }) => categoryOfModel(modelId)?.id === id)

/** Returns the lowest free number for a component of this model; undefined when none is left. */
export function freeNumber(components: readonly EditedComponent[], modelId: number): number | undefined {
  const category = categoryOfModel(modelId)
  if (!category) return undefined
  const taken = new Set(ofCategory(components, category).map(({ number }) => number))
  for (let number = 1; number <= category.maximumNumber; number++) if (!taken.has(number)) return number
  return undefined
}

/** An operator can add these models; a component of another one stays as it is (rules/components 2). */
export const OFFERED_MODELS: readonly ComponentModel[] = COMPONENT_MODELS.filter(({ isOffered }) => isOffered)

export function numbersInCategory(components: readonly EditedComponent[], categoryId: number): readonly number[] {
  const category = componentCategory(categoryId)
  return category
    ? ofCategory(components, category)
        .map(({ number }) => number)
        .sort((a, b) => a - b)
    : []
}
