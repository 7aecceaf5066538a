declare module '@size-limit/preset-small-lib' {
  const plugins: (() => unknown)[]
  export default plugins
}
