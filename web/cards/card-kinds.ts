import {
  type Icon,
  IconBuilding,
  IconHeartHandshake,
  IconLayoutKanban,
  IconList,
  IconUser,
} from '@tabler/icons-react'
import { type CardKind, type Collection, wordOf } from '../data/records.ts'

type Word = ReturnType<typeof wordOf>

export const marks: Record<Word, Icon> = {
  leads: IconLayoutKanban,
  contacts: IconUser,
  companies: IconBuilding,
  customers: IconHeartHandshake,
  elements: IconList,
}

const listPages = {
  leads: '/leads',
  contacts: '/contacts',
  companies: '/companies',
  customers: '/customers',
} as const

/** The address of the list of a collection. */
export const listOf = (collection: Collection) =>
  wordOf(collection) === 'elements'
    ? ({ to: '/lists/$catalogId', params: { catalogId: collection.split('/')[1] as string } } as const)
    : ({ to: listPages[collection as CardKind] } as const)

/** The kinds of records that a card links to, in display order. */
export const linkedKinds: Record<Word, readonly CardKind[]> = {
  leads: ['contacts', 'companies'],
  contacts: ['companies', 'leads', 'customers'],
  companies: ['contacts', 'leads', 'customers'],
  customers: ['contacts', 'companies'],
  elements: [],
}
