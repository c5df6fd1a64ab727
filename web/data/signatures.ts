import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'

export type CheckedRequest = Body<'/web/signatures/check', 'post'>
export type SignatureCheck = Schemas['SignatureCheck']

/** Finds the mistake in the signature of a request. Changes nothing. */
export const checkSignature = mutationOptions({
  mutationFn: (body: CheckedRequest) => dataOf(api.POST('/web/signatures/check', { body })),
})

/** The check of the signature of a recorded request. Nothing about it changes any more. */
export const recordedSignatureOptions = (request: number) =>
  queryOptions({
    queryKey: ['signatures', request],
    queryFn: () => dataOf(api.POST('/web/signatures/check', { body: { request } })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
