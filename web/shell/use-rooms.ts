import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../api/accounts.ts'
import { type Room, roomsFor } from './rooms.ts'
import { useIsAdministrator, useRights } from './use-session.ts'

/** An account may do without customers; until it has said so they have their room. */
const without = ['disabled', 'unavailable']

/** The rooms that the person may enter, in their groups. */
export function useRooms(): Room[][] {
  const { data: account } = useQuery(accountOptions)
  const hasCustomers = !without.includes(account?.customers_mode ?? '')
  return roomsFor({ isAdministrator: useIsAdministrator(), rights: useRights(), hasCustomers })
}

/** The same one after another, with the rooms within rooms. */
export const useEveryRoom = (): Room[] =>
  useRooms()
    .flat()
    .flatMap((room) => [room, ...(room.rooms ?? [])])
