import { Converter, ReflectionKind } from 'typedoc'

/** A plugin of TypeDoc: a parameter that is destructured in the source, and not named by `@param`, is called `options`. */
export function load({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
      if (parameter.name === '__namedParameters') parameter.name = 'options'
  })
}
