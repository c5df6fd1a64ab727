import {
  type MutationOptions,
  type UseMutationOptions,
  useIsMutating,
  useMutation,
  useMutationState,
} from '@tanstack/react-query'
import { useId } from 'react'
import { queryClient } from './query-client.ts'

/**
 * The one mechanism for a write that the server has not confirmed. It is a mutation of TanStack Query that names its
 * place: a record, the notes of a card, the order of a list. Writes to one place share a scope, so they go out in order,
 * and their variables are in the mutation cache, so every component can show what they will change.
 */
export type Place = readonly (string | number)[]

const CONTROL = 'control'
const keyOf = (place: Place) => ['write', ...place]

/** Mutation options of a write to a place. */
export const writesTo = (place: Place) => ({
  mutationKey: keyOf(place),
  scope: { id: keyOf(place).join(' ') },
})

/** The writes of one control, such as a button or a form. They go out in order. */
export const useWrites = <Data, Input, Undo = unknown>(
  options: UseMutationOptions<Data, Error, Input, Undo>,
) => useMutation({ ...writesTo([CONTROL, useId()]), ...options })

/**
 * Runs a write that outlasts the component that starts it, as a row that the write moves. No component renders its state,
 * so it needs no hook. Its options or its caller say what a refusal does.
 */
export const write = <Data, Input, Undo>(
  options: MutationOptions<Data, Error, Input, Undo>,
  input: Input,
): Promise<Data> => queryClient.getMutationCache().build(queryClient, options).execute(input)

/** Runs a write whose options say what a refusal does. */
export function runWrite<Data, Input>(options: MutationOptions<Data, Error, Input>, input: Input): void {
  write(options, input).catch(() => {})
}

/** The variables of the writes to a place that are not confirmed. The oldest write comes first. */
export const usePendingWrites = <Input>(place: Place): Input[] =>
  useMutationState({
    filters: { mutationKey: keyOf(place), status: 'pending' },
    select: ({ state }) => state.variables as Input,
  })

/** The same outside of a component. */
export const pendingWrites = (place: Place): unknown[] =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: keyOf(place), status: 'pending' })
    .map(({ state }) => state.variables)

/** Whether a write to a place is not confirmed. Those of controls do not count: they can end in another page. */
export const useIsWriting = (): boolean =>
  useIsMutating({
    mutationKey: ['write'],
    predicate: ({ options }) => options.mutationKey?.[1] !== CONTROL,
  }) > 0
