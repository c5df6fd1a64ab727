import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from '../../api/listeners.ts'

type Input = symbol

/** The forms and editors with input that would be lost if they closed now. */
let inputs: ReadonlySet<Input> = new Set()
/** Ends the question that is shown. */
let answer: ((isDiscarded: boolean) => void) | undefined
const { listen, tell } = createListeners()

/**
 * Protects input while it differs from what is stored: leaving the page and closing the dialog ask first. The result ends
 * the protection at once, for actions that leave the page as soon as the input is saved.
 */
export function useUnsaved(isChanged: boolean): () => void {
  const [input] = useState(() => Symbol())
  useEffect(() => {
    if (!isChanged) return
    put(new Set(inputs).add(input))
    return () => release(input)
  }, [input, isChanged])
  return () => release(input)
}

export const hasUnsaved = (): boolean => inputs.size > 0

/** Ends the protection of all input. */
export const discardUnsaved = (): void => put(new Set())

/** Loads an address of the server without the question of the browser, after our own. */
export function leaveFor(address: string): void {
  discardUnsaved()
  window.location.assign(address)
}

/** Asks whether input may be lost, if there is any. The result is whether the action can go on. */
export function askToDiscard(): Promise<boolean> {
  if (!hasUnsaved()) return Promise.resolve(true)
  answer?.(false)
  return new Promise((resolve) => {
    answer = resolve
    tell()
  })
}

/** Ends the question. */
export function answerQuestion(isDiscarded: boolean): void {
  answer?.(isDiscarded)
  answer = undefined
  tell()
}

export const useHasUnsaved = (): boolean => useSyncExternalStore(listen, hasUnsaved)
export const useIsAsking = (): boolean => useSyncExternalStore(listen, () => answer !== undefined)

/** Input that did not exist when the dialog opened is in the dialog. It ends with it, also while the dialog fades out. */
export function useUnsavedInside(opened: boolean): boolean {
  const [state, setState] = useState({ opened, before: inputs })
  if (state.opened !== opened) setState({ opened, before: inputs })
  const { before } = state
  useLayoutEffect(() => {
    if (opened) return () => put(new Set([...inputs].filter((input) => before.has(input))))
  }, [opened, before])
  return useSyncExternalStore(listen, () => opened && [...inputs].some((input) => !before.has(input)))
}

const release = (input: Input) => put(new Set([...inputs].filter((one) => one !== input)))

function put(changed: ReadonlySet<Input>): void {
  if (changed.size === inputs.size && [...changed].every((input) => inputs.has(input))) return
  inputs = changed
  tell()
}
