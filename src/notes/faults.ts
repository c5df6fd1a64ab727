import { type Fault, type FaultCode, Refusal } from '../errors.ts'

/** How a rule complains about the item that it reads. */
export type Complain = (code: FaultCode, path: string) => void

const details: Partial<Record<FaultCode, string>> = {
  NotSupportedChoice: 'The value you selected is not a valid choice.',
}

/** Collects what is wrong with the items of a batch, under the name that each gave itself, and refuses if anything is. */
export function complaints() {
  const faults: Fault[] = []
  return {
    faults,
    about:
      (request_id: string): Complain =>
      (code, path) => {
        faults.push({ request_id, code, path, detail: details[code] ?? 'This value is not valid.' })
      },
    refuse: () => {
      if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    },
  }
}

/** The name of an item: what it calls itself, or its place. */
export const nameOf = ({ request_id }: { request_id?: string | number | undefined }, i: number): string =>
  String(request_id ?? i)
