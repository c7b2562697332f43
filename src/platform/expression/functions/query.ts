import { plain, type RuleFunction, string, stringField } from './function.ts'

/** `remove_query_args(query, name, …)`: a query string without the named parameters, in order. */
export const removeQueryArgs: RuleFunction = {
  parameters: [stringField, string],
  rest: string,
  returns: 'Bytes',
  prepare: plain((query: string, ...names: string[]) =>
    query
      .split('&')
      .filter((argument) => !names.includes(argument.split('=', 1)[0]!))
      .join('&')
  )
}
