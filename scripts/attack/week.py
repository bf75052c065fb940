def attack(program, options, work, report):
    return {}, []
